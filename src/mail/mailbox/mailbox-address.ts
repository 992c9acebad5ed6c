import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isLoopback } from "#core/addresses/loopback.ts";

/** A mailbox that is read, as the setting `bounceMailbox` names it. */
export type MailboxAddress = {
  readonly protocol: "imap" | "pop3";
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS or STLS must follow, except on this machine. */
  readonly secure: boolean;
  readonly requireTls: boolean;
  readonly user: string;
  readonly pass: string;
  /** The folder. POP3 has only one. */
  readonly folder: string;
};

const PORTS: Readonly<Record<string, number>> = { "imaps:": 993, "imap:": 143, "pop3s:": 995, "pop3:": 110 };
const STANDARD_PORTS: ReadonlySet<number> = new Set(Object.values(PORTS));
const HOST = /^[a-z0-9_](?:[a-z0-9_.-]{0,252})$/;

/**
 * Reads `imaps://user:password@host/INBOX` (or `imap:`, `pop3s:`, `pop3:`). User, password and folder are
 * percent-decoded; without a folder it is INBOX. A refusal never repeats the URL, which holds a password.
 */
export function parseMailboxUrl(text: string): Result<MailboxAddress> {
  const url = URL.parse(text);
  const standard = url === null ? undefined : PORTS[url.protocol];
  if (url === null || standard === undefined)
    return invalid("It must be a URL that starts with imaps://, imap://, pop3s:// or pop3://.");
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (!url.hostname.startsWith("[") && !HOST.test(host))
    return invalid("The host is missing or is no host name.");
  if (url.search !== "" || url.hash !== "")
    return invalid("Nothing but a folder may follow the host. Percent-encode / ? # and @ in the password.");
  const decoded = [url.username, url.password, url.pathname.slice(1)].map(decode);
  const [user, pass, folder] = decoded;
  if (user === undefined || pass === undefined || folder === undefined)
    return invalid("A % encodes nothing. Write %25 for a percent sign.");
  if (user === "" || pass === "") return invalid("It needs a user and a password.");
  const [isImap, secure] = [url.protocol.startsWith("imap"), url.protocol.endsWith("s:")];
  if (!isImap && folder !== "" && folder.toUpperCase() !== "INBOX")
    return invalid("POP3 has no folders: leave the folder out.");
  return accept({
    protocol: isImap ? "imap" : "pop3",
    host,
    port: url.port === "" ? standard : Number(url.port),
    secure,
    requireTls: !secure && !isLoopback(host),
    user,
    pass,
    // RFC 9051, section 5.1: in any letters.
    folder: /^(?:inbox)?$/i.test(folder) ? "INBOX" : folder,
  });
}

/** Undefined if it cannot be decoded, or would break a line of the protocol. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    // A line break in a user or password would begin another command.
    return [...decoded].some((character) => character < " " || character === "\u007F") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** `host:port`, for logs and answers: never the user or the password. */
export const mailboxLabel = ({ host, port }: MailboxAddress): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

/**
 * The same for every way to write the URL of one mailbox: by IMAP or POP3, with any name of this machine. A
 * port that is not a standard one may be that of another server. The password counts: whoever does not know
 * it has no part in the mail.
 */
export function mailboxIdentity({ host: name, port, user, pass, folder }: MailboxAddress): string {
  const host = name.replace(/\.$/, "");
  const [place, server] = [
    isLoopback(host) ? "localhost" : host,
    STANDARD_PORTS.has(port) ? "standard" : port,
  ];
  return JSON.stringify([place, server, user, pass, folder]);
}
