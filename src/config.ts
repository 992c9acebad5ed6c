/**
 * The configuration of a running service, from environment variables and from flags of the same names; a flag
 * wins. The help text is made from `OPTIONS`, so that both always agree.
 */
import { parseBaseUrl } from "#core/addresses/base-url.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { parseDatabaseUrl, type DatabaseAddress } from "#core/addresses/database-url.ts";
import { parseTrustedProxies, type TrustedProxies } from "#http/client/client-address.ts";
import { LOG_LEVELS, type LogFormat, type LogLevel } from "#log.ts";
import { parseInboundAddress, type InboundAddress } from "#mail/inbound/inbound-address.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import {
  hasMoreAround,
  loopbackOnly,
  oneOf,
  readDataDir,
  readFileName,
  readHost,
  readOrigins,
  readPort,
  readSenderThreads,
  readToken,
  SENDER_THREADS_MAX,
} from "./config-values.ts";

export type Config = {
  readonly host: string;
  readonly port: number;
  /** See `parseBaseUrl`. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Where the data is kept; null: in SQLite, in the data directory. */
  readonly database: DatabaseAddress | null;
  /** In fail-over order. Null: mail is captured, not delivered. */
  readonly relays: readonly RelayAddress[] | null;
  readonly isTrustedProxy: TrustedProxies;
  /** The origins whose pages may call /api/v1 from a browser. Empty: no origin may. */
  readonly corsOrigins: readonly string[];
  /** Whether TRUSTED_PROXIES was set. */
  readonly namesProxies: boolean;
  /** Gives other machines access to /metrics. Null: only this machine has access. */
  readonly metricsToken: string | null;
  /** Gives other machines access to all of /mailbox. Null: only this machine has access. */
  readonly mailboxToken: string | null;
  /** Where mail for bounce domains comes in. Null: it does not come in here. */
  readonly inboundSmtp: InboundAddress | null;
  /** Files of the certificate and key with which inbound mail is encrypted. Null: it is not. */
  readonly inboundTls: { readonly certFile: string; readonly keyFile: string } | null;
  /** How many threads hold the conversations with relays. 0: the main thread does. */
  readonly senderThreads: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
};

export type Option = {
  readonly variable: string;
  readonly value: string;
  readonly says: string;
  /** In words, for the help text. */
  readonly byDefault: string;
};

export const OPTIONS = [
  {
    variable: "HOST",
    value: "ADDRESS",
    says: "Address to listen on; 0.0.0.0 or :: means all of this machine.",
    byDefault: "127.0.0.1",
  },
  { variable: "PORT", value: "NUMBER", says: "Port to listen on, 1 to 65535.", byDefault: "8080" },
  {
    variable: "BASE_URL",
    value: "URL",
    says: "Where people reach this service; links in mail start with it. A path is kept: the proxy in front must strip it.",
    byDefault: "http://localhost:PORT",
  },
  {
    variable: "DATA_DIR",
    value: "DIR",
    says: "Directory of the database; made when the server first starts.",
    byDefault: "./data",
  },
  {
    variable: "DATABASE_URL",
    value: "URL",
    says: "PostgreSQL to keep the data in, postgres://user:password@host:5432/name; several servers may share it.",
    byDefault: "none: SQLite in DATA_DIR",
  },
  {
    variable: "DATABASE_PREPARE",
    value: "WORD",
    says: "on, or off where a pooler in front of PostgreSQL gives every transaction another connection.",
    byDefault: "on",
  },
  {
    variable: "DATABASE_FAILOVER",
    value: "WORD",
    says: "What sends do after a standby of PostgreSQL took over. held: they wait for you; trusted: they go on, which is safe only with a synchronous standby.",
    byDefault: "held",
  },
  {
    variable: "SMTP_URL",
    value: "URL",
    says: "Relay to deliver through, smtp://user:password@host:587; several, separated by spaces, are tried in order.",
    byDefault: "none: mail is captured and shown, not delivered",
  },
  {
    variable: "TRUSTED_PROXIES",
    value: "LIST",
    says: "Whose X-Forwarded-For is believed: addresses, CIDR blocks and the word loopback, separated by commas.",
    byDefault: "loopback",
  },
  {
    variable: "CORS_ORIGINS",
    value: "LIST",
    says: "Sites whose pages may call the API from a browser: origins such as https://app.example.com, separated by commas. Everybody who opens such a page can read the key in it.",
    byDefault: "none",
  },
  {
    variable: "METRICS_TOKEN",
    value: "TOKEN",
    says: "Opens /metrics, with this as bearer token; 16 to 256 visible characters.",
    byDefault: "none: only this machine may, and only without a public BASE_URL",
  },
  {
    variable: "MAILBOX_TOKEN",
    value: "TOKEN",
    says: "Opens all captured mail at /mailbox, with this as bearer token or password; 16 to 256 visible characters.",
    byDefault:
      "none: only this machine may, and only without a public BASE_URL; an API key may read what its workspace sent",
  },
  {
    variable: "INBOUND_SMTP",
    value: "ADDRESS",
    says: "Address and port to take bounces and complaints on by mail, such as 0.0.0.0:25; this machine is then the MX of the workspaces' bounceDomain.",
    byDefault: "none: no mail comes in",
  },
  {
    variable: "INBOUND_TLS_CERT",
    value: "FILE",
    says: "Certificate for that mail, as PEM; renewed ones are read when the server starts.",
    byDefault: "none: it comes in unencrypted",
  },
  { variable: "INBOUND_TLS_KEY", value: "FILE", says: "Key of that certificate, as PEM.", byDefault: "none" },
  {
    variable: "SENDER_THREADS",
    value: "NUMBER",
    says: `Threads that talk to relays beside the main thread, 0 to ${SENDER_THREADS_MAX}; useful where the machine has cores to spare.`,
    byDefault: "0: the main thread does it",
  },
  {
    variable: "LOG_LEVEL",
    value: "LEVEL",
    says: `Least important line to log: ${LOG_LEVELS.join(", ")}.`,
    byDefault: "info",
  },
  {
    variable: "LOG_FORMAT",
    value: "FORMAT",
    says: "Log lines on standard error as json or pretty.",
    byDefault: "pretty on a terminal, json elsewhere",
  },
] as const satisfies readonly Option[];

export type Variable = (typeof OPTIONS)[number]["variable"];

/** The flag for a variable, without dashes: `DATA_DIR` can also be set by `--data-dir`. */
export const flagOf = (variable: string): string => variable.toLowerCase().replaceAll("_", "-");

type Sources = {
  /** By flag name, without dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether log lines go to a terminal that a person reads. */
  readonly onTerminal: boolean;
};

/** The whole configuration, or one line that names the first variable or flag with a bad value. */
export function readConfig({ flags, onTerminal, environment }: Sources): Result<Config> {
  return reading({ flags, environment }, (read) => {
    const port = read("PORT", readPort) ?? 8080;
    const proxies = read("TRUSTED_PROXIES", parseTrustedProxies);
    return {
      host: read("HOST", readHost) ?? "127.0.0.1",
      port,
      baseUrl: read("BASE_URL", parseBaseUrl) ?? `http://localhost:${port}`,
      dataDir: dataDirIn(read),
      database: databaseIn(read),
      relays: read("SMTP_URL", parseRelayUrls) ?? null,
      isTrustedProxy: proxies ?? loopbackOnly(),
      namesProxies: proxies !== undefined,
      corsOrigins: read("CORS_ORIGINS", readOrigins) ?? [],
      metricsToken: read("METRICS_TOKEN", readToken) ?? null,
      mailboxToken: read("MAILBOX_TOKEN", readToken) ?? null,
      inboundSmtp: read("INBOUND_SMTP", parseInboundAddress) ?? null,
      inboundTls: readTls(read),
      senderThreads: read("SENDER_THREADS", readSenderThreads) ?? 0,
      logLevel: read("LOG_LEVEL", oneOf(LOG_LEVELS)) ?? "info",
      logFormat: read("LOG_FORMAT", oneOf(["json", "pretty"] as const)) ?? (onTerminal ? "pretty" : "json"),
    };
  });
}

/** Where the database is. A command other than `serve` needs nothing else. */
export const readDataDirectory = (sources: Omit<Sources, "onTerminal">): Result<string> =>
  reading(sources, dataDirIn);

/** Which PostgreSQL has the data; null: it is in the data directory. */
export const readDatabase = (sources: Omit<Sources, "onTerminal">): Result<DatabaseAddress | null> =>
  reading(sources, databaseIn);

/** What `find` makes of flags and variables, or what is wrong with the first bad one that it reads. */
function reading<T>(
  { flags, environment }: Omit<Sources, "onTerminal">,
  find: (read: ReturnType<typeof reader>) => T,
): Result<T> {
  try {
    return accept(find(reader(flags, environment)));
  } catch (error) {
    if (error instanceof BadValue) return invalid(error.message);
    throw error;
  }
}

const dataDirIn = (read: ReturnType<typeof reader>): string => read("DATA_DIR", readDataDir) ?? "./data";

function databaseIn(read: ReturnType<typeof reader>): DatabaseAddress | null {
  const url = read("DATABASE_URL", parseDatabaseUrl);
  const prepare = read("DATABASE_PREPARE", oneOf(["on", "off"] as const)) ?? "on";
  const failover = read("DATABASE_FAILOVER", oneOf(["held", "trusted"] as const)) ?? "held";
  return url === undefined
    ? null
    : { url, prepare: prepare === "on", trustsFailover: failover === "trusted" };
}

class BadValue extends Error {}

/** Behind a refusal: people do not see it in their file. */
const AROUND = " (it has quotes, a blank or a line end around it: take them away)";

/** One of the two files is of no use without the other. */
function readTls(read: ReturnType<typeof reader>): Config["inboundTls"] {
  const certFile = read("INBOUND_TLS_CERT", readFileName);
  const keyFile = read("INBOUND_TLS_KEY", readFileName);
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === undefined && keyFile === undefined) return null;
  const missing = certFile === undefined ? "INBOUND_TLS_CERT" : "INBOUND_TLS_KEY";
  throw new BadValue(`${missing}: set it too, or neither of the two files`);
}

/**
 * An empty variable counts as not set, because compose files set variables so. An empty flag was typed on
 * purpose and is read.
 */
function reader(flags: Sources["flags"], environment: Readonly<Record<string, string | undefined>>) {
  return <T>(variable: Variable, parse: (text: string) => Result<T>): T | undefined => {
    const flag = flags[flagOf(variable)];
    const text = flag ?? (environment[variable] || undefined);
    if (text === undefined) return undefined;
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    const name = flag === undefined ? variable : `--${flagOf(variable)}`;
    throw new BadValue(`${name}: ${parsed.refusal.message}${hasMoreAround(text) ? AROUND : ""}`);
  };
}
