/** A finished message, always ASCII: as text or as bytes. */
export type Ascii = string | Uint8Array;

export const asciiText = (message: Ascii): string =>
  typeof message === "string" ? message : bytesOf(message).toString("latin1");

/** The bytes; not a copy if the message is bytes already. */
export const bytesOf = (message: Ascii): Buffer =>
  typeof message === "string"
    ? Buffer.from(message, "latin1")
    : Buffer.from(message.buffer, message.byteOffset, message.byteLength);
