/** The part of a file that a `Range` header asks for (RFC 9110, section 14). `end` is exclusive. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Null: all of the file, which is also the answer to a header that cannot be read, and to one that asks for
 * several parts. "unsatisfiable": nothing of the file.
 */
export function byteRangeOf(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : "unsatisfiable";
}

/** Whether a client that sends these headers has the file already (RFC 9110, section 13). */
export function hasAlready(headers: Headers, etag: string, modifiedAt: number): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return tags.trim() === "*" || tags.split(",").some((tag) => plain(tag) === etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return Math.floor(modifiedAt / 1000) * 1000 <= since;
}

/** Whether `Range` applies: `If-Range` names the present version of the file, or is not sent. */
export function isRangeWanted(headers: Headers, etag: string, modifiedAt: number): boolean {
  const wanted = headers.get("if-range");
  if (wanted === null) return true;
  return wanted.includes('"')
    ? wanted.trim() === etag
    : Date.parse(wanted) === Math.floor(modifiedAt / 1000) * 1000;
}

/** A weak tag means the same file here. */
const plain = (tag: string): string => tag.trim().replace(/^W\//, "");
