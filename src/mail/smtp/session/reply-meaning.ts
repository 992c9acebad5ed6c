import { parseReply, type SmtpReply, type Stage } from "#core/smtp-reply.ts";

const GO_ON = /^3\d\d(?:[ -]|$)/;
const DONE = /^2\d\d(?:[ -]|$)/;

/** Whether a raw reply accepts its command: 3xx for DATA, 2xx for any other. */
export const isYes = (command: "MAIL" | "RCPT" | "DATA" | "RSET", raw: string): boolean =>
  (command === "DATA" ? GO_ON : DONE).test(raw);

/** A reply that refused a message. `reply` is null if the bytes were no reply, or one that does not fit the command. */
export type Refusal = { readonly stage: Stage; readonly reply: SmtpReply | null };

export function refusalIn(stage: Stage, raw: string): Refusal {
  const reply = parseReply(raw);
  return { stage, reply: reply !== null && reply.code >= 400 ? reply : null };
}

/** The answer to a dot; null if the bytes are none, or ask for more. */
export function dotAnswer(raw: string): SmtpReply | null {
  const reply = parseReply(raw);
  return reply === null || (reply.code >= 300 && reply.code < 400) ? null : reply;
}
