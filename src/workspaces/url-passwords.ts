import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** URLs, separated by spaces, as they may be shown: `***` stands for each password. */
export function withoutPasswords(urls: string): string {
  return urls.replaceAll(/(?<=\/\/[^\s/?#]*?:)[^\s/?#]*(?=@)/g, "***");
}

/** Scheme, user, password, host with port, and what follows. */
const WITH_PASSWORD = /^([a-z][a-z0-9+.-]*):\/\/([^\s/?#:@]*):([^\s/?#]*)@([^\s/?#]*)(.*)$/i;

/**
 * URLs as they were shown, with the stored passwords in place of `***`. A password is put back only for the
 * scheme, user, host and port it was stored for. So nobody can have it sent to another host. (A password that
 * really is `***` is written `%2A%2A%2A`.)
 */
export function withStoredPasswords(given: string, stored: string): Result<string> {
  const known = new Map(
    stored.split(" ").flatMap((url) => {
      const [, scheme = "", user = "", password, host = ""] = WITH_PASSWORD.exec(url) ?? [];
      return password === undefined ? [] : [[loginOf(scheme, user, host), password] as const];
    }),
  );
  const whole: string[] = [];
  for (const url of given.split(" ")) {
    const [, scheme = "", user = "", password, host = "", rest = ""] = WITH_PASSWORD.exec(url) ?? [];
    const kept = password === "***" ? known.get(loginOf(scheme, user, host)) : password;
    if (password !== undefined && kept === undefined) return invalid(NOTHING_KEPT);
    whole.push(password === undefined ? url : `${scheme}://${user}:${kept}@${host}${rest}`);
  }
  return accept(whole.join(" "));
}

const loginOf = (scheme: string, user: string, host: string): string =>
  `${scheme}://${host}`.toLowerCase() + ` ${user}`;

const NOTHING_KEPT =
  "*** stands for a stored password, and none is stored for that host and user: write the password itself.";
