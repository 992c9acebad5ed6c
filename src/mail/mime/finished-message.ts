import type { Ascii } from "./ascii.ts";

/**
 * A message that passed `checkMessage`, ready to be signed and sent.
 *
 * Its memory may be reused. `release` says that nobody reads `bytes` any more; a later message may then be written
 * into them. Only `mail/` calls it, in the code that reads the bytes last: the session, when the relay has accepted
 * the message at the dot (`mail/smtp/session/smtp-session.ts`); a session in a thread, which has a copy
 * (`mail/smtp/threads/thread-session.ts`); and `withFieldBefore`, if it made a copy. After any other end, bytes may
 * still be on their way to the socket, so the memory is left to the garbage collector.
 *
 * `room`: this many bytes right before `bytes` are unused, so a field may be written there.
 */
export type FinishedMessage = {
  readonly bytes: Ascii;
  readonly release?: () => void;
  readonly room?: number;
};

/**
 * The message with one more field before its others; do not use the given message any more. Nothing is copied if
 * there is room. `field` is ASCII and ends with CRLF.
 */
export function withFieldBefore(message: FinishedMessage, field: string): FinishedMessage {
  const { bytes, release, room = 0 } = message;
  if (typeof bytes !== "string" && field.length <= room) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset - field.length, field.length + bytes.length);
    whole.write(field, 0, "latin1");
    return release === undefined ? { bytes: whole } : { bytes: whole, release };
  }
  const whole =
    typeof bytes === "string" ? field + bytes : Buffer.concat([Buffer.from(field, "latin1"), bytes]);
  release?.();
  return { bytes: whole };
}
