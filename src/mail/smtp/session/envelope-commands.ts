import type { SmtpReply } from "#core/smtp-reply.ts";
import { sizeRefusal, unwritableRefusal } from "./connection-options.ts";
import type { Announced } from "./relay-connection.ts";
import type { Envelope } from "./smtp-outcome.ts";

/** MAIL, RCPT and DATA for a message of `bytes` bytes, each with its line end. */
export const envelopeCommands = ({ from, to }: Envelope, bytes: number, announced: Announced): string[] => [
  `MAIL FROM:<${from}>${announced.size ? ` SIZE=${bytes}` : ""}\r\n`,
  `RCPT TO:<${to}>\r\n`,
  "DATA\r\n",
];

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
