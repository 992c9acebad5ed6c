import { isObject, parseJson } from "./json-body.ts";
import type { PublicCall } from "./public-route.ts";

/** Enough: a person's sign-up is a few hundred bytes. */
const FORM_BYTES_MAX = 16 * 1024;
const FORM_FIELDS_MAX = 20;

export type FormFields = Readonly<Record<string, unknown>>;

/**
 * Reads what a public form posted: JSON whatever its Content-Type, otherwise URL-encoded or multipart. If a
 * field is repeated, the first counts. An unreadable body, or more fields than any of our forms has, gives no
 * fields.
 * @throws as `RequestBody.bytes`
 */
export async function readFormBody({ request, body }: PublicCall): Promise<FormFields> {
  const bytes = await body.bytes(FORM_BYTES_MAX);
  const type = request.headers.get("content-type") ?? "";
  if (/^\s*multipart\/form-data\b/i.test(type)) return fieldsOf(await multipart(bytes, type));
  const text = new TextDecoder().decode(bytes);
  const json = parseJson(text);
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
