/** A finished message, which is ASCII: its text, or its bytes. */
export type Ascii = string | Uint8Array;

export const asciiText = (message: Ascii): string =>
  typeof message === "string"
    ? message
    : Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString("latin1");
