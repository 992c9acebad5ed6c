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
  const text = Buffer.from(raw).toString();
  const end = text.search(/\r?\n\r?\n/);
  return end < 0 ? text : text.slice(0, end);
}
