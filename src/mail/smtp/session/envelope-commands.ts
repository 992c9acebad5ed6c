import type { SmtpReply } from "#core/smtp-reply.ts";
import { sizeRefusal, unwritableRefusal } from "./connection-options.ts";
import type { Announced } from "./relay-connection.ts";
import type { Envelope } from "./smtp-outcome.ts";

/**
 * MAIL, RCPT and DATA for a message of `bytes` bytes, each with its line end. A report about it shall return only its
 * header (RFC 3461, 4.3), which tells us all we need: with the whole letter, a report may be larger than what we take.
 */
export function envelopeCommands({ from, to }: Envelope, bytes: number, { size, dsn }: Announced): string[] {
  const parameters = `${size ? ` SIZE=${bytes}` : ""}${dsn ? " RET=HDRS" : ""}`;
  return [`MAIL FROM:<${from}>${parameters}\r\n`, `RCPT TO:<${to}>\r\n`, "DATA\r\n"];
}

/** Why a message must not be offered to the relay at all, as the reply that the relay would give; null: it may. */
export function refusedUnsent(
  { from, to }: Envelope,
  bytes: number,
  { sizeMax }: Announced,
): SmtpReply | null {
  if (sizeMax !== null && bytes > sizeMax) return sizeRefusal;
  return isWritable(from) && isWritable(to) ? null : unwritableRefusal;
}

/** Whether an address can be written between the angle brackets of a command without closing them. */
const isWritable = (address: string): boolean => /^[\u0021-\u007e]*$/.test(address) && !/[<>]/.test(address);
