import { isObject, parseJson } from "./json-body.ts";
import { checkJsonWeight } from "./json-weight.ts";
import type { PublicCall } from "./public-route.ts";

/** Enough for a form with 20 fields of 1,000 characters, each up to nine bytes as `%E6%97%A5`. */
const FORM_BYTES_MAX = 256 * 1024;
/** More than any of our forms has, with what a site's own form adds. */
const FORM_FIELDS_MAX = 50;

export type FormFields = Readonly<Record<string, unknown>>;

/**
 * Reads what a public form posted: JSON whatever its Content-Type, otherwise URL-encoded or multipart. If a
 * field is repeated, the first counts. An unreadable body, or more than `FORM_FIELDS_MAX` fields, gives no
 * fields.
 * @throws as `RequestBody.bytes`
 */
export async function readFormBody({ request, body }: PublicCall): Promise<FormFields> {
  const bytes = await body.bytes(FORM_BYTES_MAX);
  const type = request.headers.get("content-type") ?? "";
  if (/^\s*multipart\/form-data\b/i.test(type)) return fieldsOf(await multipart(bytes, type));
  const text = new TextDecoder().decode(bytes);
  const json = checkJsonWeight(text).ok ? parseJson(text) : undefined;
  if (isObject(json)) return Object.keys(json).length > FORM_FIELDS_MAX ? {} : json;
  return /^\s*application\/x-www-form-urlencoded\b/i.test(type) ? fieldsOf(new URLSearchParams(text)) : {};
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
