import { parseReply, type SmtpReply } from "#core/smtp-reply.ts";
import type { Meaning } from "./meaning.ts";
import { failed } from "./row.ts";

/** What Postfix says of a recipient whom it asked the server behind it about (`reject_unverified_recipient`). */
const LABEL = "Recipient address rejected: undeliverable address: ";
const SAID = /^host \S{1,300} said: /;

/** `isDecided`: a server behind the gateway has refused for good. */
export type GatewayAnswer = { readonly reply: SmtpReply; readonly isDecided: boolean };

/**
 * What a gateway heard of a recipient: `550 5.1.1 <ada@example.com>: Recipient address rejected: undeliverable address:
 * host mx said: 554 5.7.1 Relay access denied`. The gateway's own code is the same for every answer. If it asked nobody,
 * it says why. Null for any other reply.
 */
export function gatewayAnswer({ code, text }: SmtpReply): GatewayAnswer | null {
  const at = text.lastIndexOf(LABEL);
  if (at === -1) return null;
  const words = text.slice(at + LABEL.length);
  const quoted = SAID.test(words) ? parseReply(words.replace(SAID, "")) : null;
  if (quoted === null) return { reply: { code, enhanced: null, text: words }, isDecided: false };
  // With 4xx the server has not decided, so its words prove nothing.
  return { reply: quoted, isDecided: quoted.code >= 500 };
}

/** The gateway takes mail for the domain. If the server behind it does not, that is their trouble, not the reader's. */
const ABOUT_DOMAIN: ReadonlySet<string> = new Set(["BAD_DOMAIN", "NO_MAIL_HERE", "HOST_UNKNOWN"]);

/** @param meaning of the answer, as if it had been ours */
export function meaningBehindGateway(meaning: Meaning, { isDecided }: GatewayAnswer): Meaning {
  if (meaning.kind === "sent" || meaning.kind === "relay" || ABOUT_DOMAIN.has(meaning.reason))
    return failed("REMOTE_SYSTEM");
  return isDecided || meaning.kind === "bounced" ? meaning : failed("REMOTE_SYSTEM");
}
