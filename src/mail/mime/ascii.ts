/** A finished message, always ASCII: as a text or as bytes. */
export type Ascii = string | Uint8Array;

export const asciiText = (message: Ascii): string =>
  typeof message === "string" ? message : bytesOf(message).toString("latin1");

/** The same bytes, not a copy, where they are bytes already. */
export const bytesOf = (message: Ascii): Buffer =>
  typeof message === "string"
    ? Buffer.from(message, "latin1")
    : Buffer.from(message.buffer, message.byteOffset, message.byteLength);
