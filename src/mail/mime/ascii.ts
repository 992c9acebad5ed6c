/** A finished message, always ASCII: as a text or as bytes. */
export type Ascii = string | Uint8Array;

export const asciiText = (message: Ascii): string =>
  typeof message === "string" ? message : bytesOf(message).toString("latin1");

/** The same bytes, not a copy. */
export const bytesOf = (message: Uint8Array): Buffer =>
  Buffer.from(message.buffer, message.byteOffset, message.byteLength);
