/** What a letter may become. Its sources are limited where they come in; these are for what is made of them. */
const TEXT_BYTES_MAX = 1024 * 1024;
const COMPILED_BYTES_MAX = 2 * 1024 * 1024;

/** Why a text part cannot go out. A few nested quotations can make a hundred times their own length of it. */
export function textProblem(text: string): string | null {
  if (Buffer.byteLength(text) <= TEXT_BYTES_MAX) return null;
  return "The text part made of this HTML is larger than 1 MB. Nest quotations and lists less deeply.";
}

/** Why HTML that was compiled from MJML cannot go out. */
export function compiledProblem(html: string): string | null {
  if (Buffer.byteLength(html) <= COMPILED_BYTES_MAX) return null;
  return "the HTML made of it is larger than 2 MB";
}
