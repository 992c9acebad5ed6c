/** How the text of one variable or flag is read. A refusal is the end of a line that begins with its name. */
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isIpAddress } from "#core/addresses/ip-address.ts";
import { ORIGINS_MAX, parseOrigins } from "#core/addresses/origin.ts";
import { quoted } from "#core/text/text.ts";
import { parseTrustedProxies, type TrustedProxies } from "#http/client/client-address.ts";

/** Few machines have cores for more. */
export const SENDER_THREADS_MAX = 64;

export function readFileName(text: string): Result<string> {
  return text === "" || text.includes("\0") ? invalid("it must name a file") : accept(text);
}

export function readPort(text: string): Result<number> {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65535
    ? accept(port)
    : invalid(`${quoted(text)} is not a whole number from 1 to 65535`);
}

export function readSenderThreads(text: string): Result<number> {
  const threads = /^[0-9]{1,2}$/.test(text) ? Number(text) : Infinity;
  return threads <= SENDER_THREADS_MAX
    ? accept(threads)
    : invalid(`${quoted(text)} is not a whole number from 0 to ${SENDER_THREADS_MAX}`);
}

/** An address of IPv6 may stand in brackets, as in a URL. */
export function readHost(text: string): Result<string> {
  const host = /^\[(.*:.*)\]$/.exec(text)?.[1] ?? text;
  if (/^[A-Fa-f0-9.:]+$/.test(host) && isIpAddress(host)) return accept(host);
  if (/^[A-Za-z0-9._-]+$/.test(text)) return accept(text);
  return invalid(
    /^[A-Za-z0-9._-]+:[0-9]+$/.test(text)
      ? `${quoted(text)} has a port behind the address: give that as PORT`
      : `${quoted(text)} is not an address or a host name`,
  );
}

export function readOrigins(text: string): Result<readonly string[]> {
  const origins = parseOrigins(text);
  return origins === undefined
    ? invalid(
        `${quoted(text)} must be origins such as https://app.example.com, at most ${ORIGINS_MAX}, separated by commas`,
      )
    : accept(origins);
}

/** A refusal never repeats the token, which is a secret. */
export function readToken(text: string): Result<string> {
  return /^[\x21-\x7E]{16,256}$/.test(text) && !hasMoreAround(text)
    ? accept(text)
    : invalid("it must be 16 to 256 visible characters without spaces");
}

/**
 * Whether there is what a file of variables may leave around a value, because it has other rules than a shell: quotes,
 * blanks, the \r of Windows.
 */
// oxlint-disable-next-line no-control-regex
export const hasMoreAround = (text: string): boolean => /^\s|\s$|[\x00-\x1f\x7f]|^(["']).*\1$/.test(text);

/** With more around it, it would name another directory, where the server begins with an empty database. */
export function readDataDir(text: string): Result<string> {
  if (text === "" || text.includes("\0")) return invalid("it must name a directory");
  if (hasMoreAround(text))
    return invalid(
      `${quoted(text)} is not taken as the name of a directory: move the data first if a server ran with it`,
    );
  return accept(text);
}

export function oneOf<const T extends string>(names: readonly T[]) {
  return (text: string): Result<T> => {
    const found = names.find((name) => name === text);
    return found === undefined ? invalid(`${quoted(text)} is not one of ${names.join(", ")}`) : accept(found);
  };
}

export function loopbackOnly(): TrustedProxies {
  const parsed = parseTrustedProxies("loopback");
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}
