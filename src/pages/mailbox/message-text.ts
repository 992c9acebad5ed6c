/**
 * Splits a text at its links. A link is an `http` or `https` address, without the punctuation of the sentence
 * after it.
 */
export function splitLinks(text: string): { readonly text: string; readonly isLink: boolean }[] {
  const pieces = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/);
  return pieces.map((piece, index) => ({ text: piece, isLink: index % 2 === 1 }));
}

/** A message's header section as it was sent, with folded lines. */
export function rawHeaders(raw: Uint8Array): string {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const ends = ["\r\n\r\n", "\n\n"].map((end) => bytes.indexOf(end)).filter((at) => at !== -1);
  return bytes.subarray(0, Math.min(bytes.length, ...ends)).toString();
}
