import { createPublicKey } from "node:crypto";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { invalid, type Refusal } from "#core/errors/errors.ts";
import { optional } from "./mail-setting-values.ts";

/** Keys by which reports from outside are known to be real. None of them ever appears in a message. */

export const hookSecret = optional("32 to 64 letters, digits, - or _", (text) =>
  /^[A-Za-z0-9_-]{32,64}$/.test(text) ? text : undefined,
);

export const signingKey = optional("a key of 16 to 200 visible characters", (text) =>
  /^[\x21-\x7E]{16,200}$/.test(text) ? text : undefined,
);

/** SubjectPublicKeyInfo in base64, as SendGrid shows its key. */
export const ecPublicKey = optional("the base64 of an ECDSA public key", (text) =>
  isEcKey(text) ? text : undefined,
);

function isEcKey(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{40,400}={0,2}$/.test(text)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}

const MAILBOX_CHARACTERS_MAX = 2000;

/** Only the form; see `checkMailbox`. */
export const mailboxUrl = optional("imaps://user:password@host/INBOX, or imap:, pop3s:, pop3:", (text) =>
  text.length <= MAILBOX_CHARACTERS_MAX && /^(?:imap|pop3)s?:\/\/\S+$/.test(text) ? text : undefined,
);

/** What is wrong with a mailbox, in more detail than its kind gives; null if nothing is. */
export function checkMailbox(bounceMailbox: string): Refusal | null {
  const parsed = bounceMailbox === "" ? null : parseMailboxUrl(bounceMailbox);
  return parsed === null || parsed.ok ? null : invalid(`bounceMailbox: ${parsed.refusal.message}`).refusal;
}
