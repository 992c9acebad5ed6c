/**
 * The address of a relay in parts, as providers name them. Pure: the form shows the parts, and the setting keeps the
 * address.
 */

/** TLS from the first byte; STARTTLS, without which nothing is sent; STARTTLS if the relay offers it. */
export const SECURITIES = ["tls", "required", "offered"] as const;
export type Security = (typeof SECURITIES)[number];

export type RelayParts = {
  readonly host: string;
  readonly port: string;
  readonly security: Security;
  readonly user: string;
  /** Empty: as it is. */
  readonly password: string;
  /** Whether a password is stored, which is never shown. */
  readonly hasPassword: boolean;
  /** What else the address says, such as `maxConnections=5`. */
  readonly options: string;
};

export const NEW_RELAY: RelayParts = {
  host: "",
  port: "587",
  security: "required",
  user: "",
  password: "",
  hasPassword: false,
  options: "",
};

/** How the API shows a password that is stored. Sent back, it stays. */
const STORED = "***";
const USUAL_PORTS: Readonly<Record<Security, string>> = { tls: "465", required: "587", offered: "587" };

/** Null: it is several relays, or nothing that has these parts. */
export function readRelay(address: string): RelayParts | null {
  if (address.trim() === "") return NEW_RELAY;
  const found =
    /^(smtps?):\/\/(?:([^:@\s]*):([^@\s]*)@)?(\[[^\]\s]+\]|[^:/?@\s]+)(?::(\d+))?\/?(?:\?(\S*))?$/i.exec(
      address.trim(),
    );
  if (found === null) return null;
  const [, scheme = "", user = "", password = "", host = "", port, options = ""] = found;
  const rest = new URLSearchParams(options);
  const security =
    scheme.toLowerCase() === "smtps" ? "tls" : rest.get("requireTLS") === "true" ? "required" : "offered";
  rest.delete("requireTLS");
  const isStored = password === STORED;
  return {
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: port ?? USUAL_PORTS[security],
    security,
    user: decoded(user),
    password: isStored ? "" : decoded(password),
    hasPassword: isStored,
    options: rest.toString(),
  };
}

/** The address that the setting takes. */
export function relayAddress({
  host,
  port,
  security,
  user,
  password,
  hasPassword,
  options,
}: RelayParts): string {
  const name = host.trim();
  const kept = password === "" && hasPassword ? STORED : encoded(password);
  const login = user.trim() === "" && kept === "" ? "" : `${encoded(user.trim())}:${kept}@`;
  const all = [...(security === "required" ? ["requireTLS=true"] : []), ...(options === "" ? [] : [options])];
  const place = `${name.includes(":") ? `[${name}]` : name}:${port.trim() || USUAL_PORTS[security]}`;
  return `${security === "tls" ? "smtps" : "smtp"}://${login}${place}${all.length === 0 ? "" : `/?${all.join("&")}`}`;
}

/** With another security the usual port changes with it; one that somebody chose stays. */
export const withSecurity = (parts: RelayParts, security: Security): RelayParts => ({
  ...parts,
  security,
  port: parts.port === USUAL_PORTS[parts.security] ? USUAL_PORTS[security] : parts.port,
});

/** A stored password counts for this server and user only. */
export const isSameLogin = (a: RelayParts, b: RelayParts): boolean =>
  a.host.trim().toLowerCase() === b.host.trim().toLowerCase() &&
  a.port === b.port &&
  a.user.trim() === b.user.trim() &&
  (a.security === "tls") === (b.security === "tls");

/** `***` alone would mean the stored password. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("*", "%2A");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
