/** Files that somebody takes for a CSV, by how they begin, and what to do instead. */

/** What has to be read of a file to know them. */
export const SIGNATURE_BYTES = 4;

const BY_SIGNATURE: readonly (readonly [hex: string, says: string])[] = [
  [
    "504b0304",
    "This is a workbook or an archive (XLSX, ODS, ZIP), no CSV: save the sheet as CSV, or unpack it and import each file.",
  ],
  ["d0cf11e0", "This is an old workbook (XLS), no CSV: save the sheet as CSV."],
  ["25504446", "This is a PDF, no CSV: export the contacts as CSV."],
  ["1f8b", "This is an archive (GZIP), no CSV: unpack it, and import the file that is in it."],
];

const BY_BEGINNING: readonly (readonly [beginning: RegExp, says: string])[] = [
  [
    /^<(?:!--|(?:!doctype|\?xml|html|head|body|table|meta|div)\b)/i,
    "This is a page (HTML or XML), no CSV: export the contacts as CSV. Where a download fails, its error may be a page.",
  ],
  [
    /^(?:\{\s*["}]|\[\s*["{[\]])/,
    "This is JSON, no CSV: export the contacts as CSV, or send them to `POST /contacts/bulk`.",
  ],
];

/** By a file's first bytes. Null: it may be a CSV. */
export function otherFile(start: Buffer): string | null {
  const hex = start.subarray(0, SIGNATURE_BYTES).toString("hex");
  return BY_SIGNATURE.find(([signature]) => hex.startsWith(signature))?.[1] ?? null;
}

/** By the beginning of its text. */
export function otherText(start: string): string | null {
  const text = start.replace(/^\uFEFF/, "").trimStart();
  return BY_BEGINNING.find(([beginning]) => beginning.test(text))?.[1] ?? null;
}
