import { isUtf8 } from "node:buffer";
import { isObject, notUtf8, parseJson } from "./json-body.ts";
import { checkJsonWeight } from "./json-weight.ts";
import { isMultipart, isUrlEncoded } from "./media-type.ts";
import type { PublicCall } from "#http/routes/public-route.ts";

/** Enough for a form with 20 fields of 1,000 characters, each up to nine bytes as `%E6%97%A5`. */
const FORM_BYTES_MAX = 256 * 1024;
/** More than any of our forms has, with what a site's own form adds. */
const FORM_FIELDS_MAX = 50;

/** More than any page of ours has boxes. */
const FORM_VALUES_MAX = 1_000;

export type FormFields = Readonly<Record<string, unknown>>;

/**
 * Reads what a public form posted: JSON whatever its Content-Type, otherwise URL-encoded or multipart. If a
 * field is repeated, the first counts. An unreadable body, or more than `FORM_FIELDS_MAX` fields, gives no
 * fields.
 * @throws AppError VALIDATION_ERROR if it is JSON in other letters than UTF-8; and as `RequestBody.bytes`
 */
export async function readFormBody({ body }: PublicCall): Promise<FormFields> {
  const bytes = await body.bytes(FORM_BYTES_MAX);
  const type = body.mediaType;
  if (isMultipart(type)) return fieldsOf(await multipart(bytes, type));
  const text = new TextDecoder().decode(bytes);
  const json = checkJsonWeight(text).ok ? parseJson(text) : undefined;
  if (isObject(json) && !isUtf8(bytes)) throw notUtf8("VALIDATION_ERROR");
  if (isObject(json)) return Object.keys(json).length > FORM_FIELDS_MAX ? {} : json;
  return isUrlEncoded(type) ? fieldsOf(new URLSearchParams(text)) : {};
}

/**
 * What a page's own form posted, URL-encoded or multipart: each field with all its texts, in their order.
 * Null for anything else, and for more than `FORM_VALUES_MAX` values.
 * @throws as `RequestBody.bytes`
 */
export async function readFormValues({
  body,
}: PublicCall): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const bytes = await body.bytes(FORM_BYTES_MAX);
  const type = body.mediaType;
  const isEncoded = isUrlEncoded(type);
  if (!isEncoded && !isMultipart(type)) return null;
  const entries = isEncoded
    ? new URLSearchParams(new TextDecoder().decode(bytes))
    : await multipart(bytes, type);
  const values = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of entries) {
    if (++count > FORM_VALUES_MAX) return null;
    if (typeof value !== "string") continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

async function multipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Entries> {
  const parsed = await new Response(bytes, { headers: { "content-type": type } })
    .formData()
    .catch(() => null);
  return parsed === null ? [] : parsed.entries();
}

type Entries = Iterable<[name: string, value: unknown]>;

function fieldsOf(entries: Entries): FormFields {
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) if (!fields.has(name)) fields.set(name, value);
  return fields.size > FORM_FIELDS_MAX ? {} : Object.fromEntries(fields);
}
