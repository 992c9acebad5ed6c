import { accept, type Result } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";

/** Whether a request asks with `include` for the attributes of the contacts in its answer. */
export function parseContactInclude(query: { readonly include: string | undefined }): Result<boolean> {
  const asked = parseInclude(query.include, ["attributes"]);
  return asked.ok ? accept(asked.value.has("attributes")) : asked;
}
