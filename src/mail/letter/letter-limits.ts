/**
 * The largest parts that a letter may have. Sources are limited when they come in; these limits are for what is
 * made from them.
 */
const TEXT_BYTES_MAX = 1024 * 1024;
const COMPILED_BYTES_MAX = 2 * 1024 * 1024;

/** Why a text part cannot be sent. With a few nested quotations, text can be a hundred times as long as its HTML. */
export function textProblem(text: string): string | null {
  if (Buffer.byteLength(text) <= TEXT_BYTES_MAX) return null;
  return "The text part made of this HTML is larger than 1 MB. Nest quotations and lists less deeply.";
}

/** Why HTML compiled from MJML cannot be sent. */
export function compiledProblem(html: string): string | null {
  if (Buffer.byteLength(html) <= COMPILED_BYTES_MAX) return null;
  return "the HTML made of it is larger than 2 MB";
}
