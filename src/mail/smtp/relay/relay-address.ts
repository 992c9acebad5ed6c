import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** One SMTP relay as the operator configured it. For `null` the SMTP client chooses. */
export type RelayAddress = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps:`). */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  readonly maxConnections: number;
  /** The name that we give in EHLO. */
  readonly name: string | null;
  /**
   * When neither `secure` nor this is set, STARTTLS is used if the relay offers it, and must then succeed.
   */
  readonly requireTls: boolean;
  readonly ignoreTls: boolean;
  readonly tls: { readonly rejectUnauthorized: boolean; readonly servername: string | null };
};

const CONNECTIONS_DEFAULT = 10;
const CONNECTIONS_MAX = 1000;
const OPTION_NAMES = [
  "maxConnections",
  "name",
  "requireTLS",
  "ignoreTLS",
  "tls.rejectUnauthorized",
  "tls.servername",
];
const HOST = /^[a-z0-9_](?:[a-z0-9_.-]{0,252})$/;
const NAME = /^(?:\[[0-9a-f.:]+\]|[a-z0-9](?:[a-z0-9.-]{0,252}))$/i;

/**
 * Reads relays in nodemailer's URL form: one or several relays, separated by spaces, in the order of
 * fail-over. `smtp://user:pass@host:587/?maxConnections=10&requireTLS=true`; unless given, the port is 587,
 * or 465 with `smtps:`. User and password are percent-decoded. A refusal goes on behind the name of
 * what was read, names the relay by its position, and never repeats the URL, which may hold a password.
 */
export function parseRelayUrls(text: string): Result<RelayAddress[]> {
  const urls = text.split(/\s+/).filter((url) => url !== "");
  if (urls.length === 0) return invalid("it is empty: give smtp://user:password@host:587 or leave it out.");
  const relays: RelayAddress[] = [];
  for (const [index, url] of urls.entries()) {
    const relay = parseRelayUrl(url);
    if (!relay.ok) return invalid(`relay ${index + 1}: ${relay.refusal.message}`);
    relays.push(relay.value);
  }
  return accept(relays);
}

/** `host:port`, for logs and answers: never the user or the password. */
export function relayLabel(relay: RelayAddress): string {
  return `${relay.host.includes(":") ? `[${relay.host}]` : relay.host}:${relay.port}`;
}

function parseRelayUrl(text: string): Result<RelayAddress> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    return invalid(
      "this is no URL. Write smtp://user:password@host:587, with special characters of the password percent-encoded.",
    );
  if (url.protocol !== "smtp:" && url.protocol !== "smtps:")
    return invalid("it must start with smtp:// or smtps://.");
  const secure = url.protocol === "smtps:";
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (!url.hostname.startsWith("[") && !HOST.test(host))
    return invalid("the host is missing or is no host name. Separate several relays by spaces.");
  if ((url.pathname !== "" && url.pathname !== "/") || url.hash !== "") {
    return invalid("nothing but options may follow the host. Percent-encode / ? # and @ in the password.");
  }
  const port = url.port === "" ? (secure ? 465 : 587) : Number(url.port);
  if (port === 0) return invalid("the port must be between 1 and 65535.");
  if (port === 465 && !secure)
    return invalid("port 465 speaks TLS from the first byte. Write smtps:// instead of smtp://.");
  const auth = parseAuth(url);
  if (!auth.ok) return auth;
  const options = parseOptions(url.searchParams, secure);
  if (!options.ok) return options;
  return accept({ host, port, secure, auth: auth.value, ...options.value });
}

function parseAuth(url: URL): Result<RelayAddress["auth"]> {
  if (url.username === "" && url.password === "") return accept(null);
  if (url.username === "" || url.password === "")
    return invalid("it has a user or a password, but not both.");
  try {
    return accept({ user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) });
  } catch {
    return invalid("the user or the password has a % that encodes nothing. Write %25 for a percent sign.");
  }
}

type Options = Omit<RelayAddress, "host" | "port" | "secure" | "auth">;

function parseOptions(params: URLSearchParams, secure: boolean): Result<Options> {
  for (const key of new Set(params.keys())) {
    if (!OPTION_NAMES.includes(key)) {
      // If a password contains a ? that is not encoded, a piece of the password arrives here.
      const name = /^[A-Za-z._-]{1,40}$/.test(key) ? `"${key}"` : "after the ?";
      return invalid(`the option ${name} is not known. Known are ${OPTION_NAMES.join(", ")}.`);
    }
    if (params.getAll(key).length > 1) return invalid(`the option ${key} is given twice.`);
  }
  for (const key of ["requireTLS", "ignoreTLS", "tls.rejectUnauthorized"]) {
    if (!["true", "false", null].includes(params.get(key)))
      return invalid(`the option ${key} must be true or false.`);
  }
  const requireTls = params.get("requireTLS") === "true";
  const ignoreTls = params.get("ignoreTLS") === "true";
  if (ignoreTls && (requireTls || secure))
    return invalid("ignoreTLS=true contradicts requireTLS=true and smtps://.");
  const maxConnections = params.get("maxConnections") ?? String(CONNECTIONS_DEFAULT);
  if (!/^[1-9]\d{0,3}$/.test(maxConnections) || Number(maxConnections) > CONNECTIONS_MAX) {
    return invalid(`the option maxConnections must be a whole number from 1 to ${CONNECTIONS_MAX}.`);
  }
  const name = params.get("name");
  if (name !== null && !NAME.test(name))
    return invalid("the option name must be a host name or an address in brackets.");
  const servername = params.get("tls.servername");
  if (servername !== null && !HOST.test(servername.toLowerCase()))
    return invalid("the option tls.servername must be a host name.");
  const tls = { rejectUnauthorized: params.get("tls.rejectUnauthorized") !== "false", servername };
  return accept({ maxConnections: Number(maxConnections), name, requireTls, ignoreTls, tls });
}
