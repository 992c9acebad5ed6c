/**
 * A server's words without the password of a login. Some servers repeat the command that they refuse, and their words
 * are in the log, in reports, and at `/health`, which everybody reads. A password is sent as it is, in quotes, or in
 * Base64: alone or behind the user's name (RFC 4616, 2).
 */
export function withoutPassword(words: string, { user, pass }: { user: string; pass: string }): string {
  const sent = [pass, pass.replaceAll(/["\\]/g, "\\$&")];
  const encoded = [`\0${user}\0${pass}`, `${user}\0${user}\0${pass}`, pass].map((text) =>
    Buffer.from(text).toString("base64"),
  );
  return [...encoded, ...sent]
    .filter(({ length }) => length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, secret) => left.replaceAll(secret, "***"), words);
}

/** If a shorter one were taken out, the gaps in the words would tell it. */
const SHORTEST = 4;
