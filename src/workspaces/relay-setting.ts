import { accept, invalid, type Refusal, type Result } from "#core/errors.ts";
import { parseRelayUrls } from "#mail/smtp/relay-address.ts";

/** What is wrong with relays, in more detail than the setting's kind gives; null if nothing is. */
export function checkRelays(smtpUrl: string): Refusal | null {
  const parsed = smtpUrl === "" ? null : parseRelayUrls(smtpUrl);
  if (parsed === null || parsed.ok) return null;
  return invalid(parsed.refusal.message.replace(/^SMTP_URL/, "smtpUrl")).refusal;
}

/** The relays without their passwords, to be shown: `***` stands for each. */
export function withoutPasswords(smtpUrl: string): string {
  return smtpUrl.replaceAll(/(?<=\/\/[^\s/?#]*?:)[^\s/?#]*(?=@)/g, "***");
}

/** Scheme, user, password, and what follows: host, port and options. */
const WITH_PASSWORD = /^(smtps?):\/\/([^\s/?#:@]*):([^\s/?#]*)@([^\s/?#]*)(.*)$/i;

/**
 * Relays as they were shown, with the stored passwords in place of `***`. A password goes back only to the
 * relay it was stored for: the same scheme, user, host and port, so that nobody sends it to a host of theirs.
 * (A password that really is `***` is written `%2A%2A%2A`.)
 */
export function withStoredPasswords(given: string, stored: string): Result<string> {
  const known = new Map(
    stored.split(" ").flatMap((url) => {
      const [, scheme = "", user = "", password, host = ""] = WITH_PASSWORD.exec(url) ?? [];
      return password === undefined ? [] : [[relayName(scheme, user, host), password] as const];
    }),
  );
  const whole: string[] = [];
  for (const url of given.split(" ")) {
    const [, scheme = "", user = "", password, host = "", rest = ""] = WITH_PASSWORD.exec(url) ?? [];
    const kept = password === "***" ? known.get(relayName(scheme, user, host)) : password;
    if (password !== undefined && kept === undefined) return invalid(NOTHING_KEPT);
    whole.push(password === undefined ? url : `${scheme}://${user}:${kept}@${host}${rest}`);
  }
  return accept(whole.join(" "));
}

const relayName = (scheme: string, user: string, host: string): string =>
  `${scheme}://${host}`.toLowerCase() + ` ${user}`;

const NOTHING_KEPT =
  "smtpUrl has *** for a password, and none is stored for that relay and user: write the password itself.";
