import { describe, expect, test } from "bun:test";
import { flagOf, OPTIONS, readConfig, readDataDirectory, type Config } from "#config.ts";

const read = (environment: Record<string, string>, flags: Record<string, string> = {}, onTerminal = false) =>
  readConfig({ environment, flags, onTerminal });

function config(
  environment: Record<string, string>,
  flags: Record<string, string> = {},
  onTerminal = false,
): Config {
  const result = read(environment, flags, onTerminal);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

const refusalOf = (result: ReturnType<typeof read>): string => (result.ok ? "" : result.refusal.message);

describe("config", () => {
  test("has the documented defaults", () => {
    const { isTrustedProxy, ...rest } = config({});
    expect(rest).toEqual({
      host: "127.0.0.1",
      port: 8080,
      baseUrl: "http://localhost:8080",
      dataDir: "./data",
      database: null,
      relays: null,
      namesProxies: false,
      corsOrigins: [],
      metricsToken: null,
      mailboxToken: null,
      inboundSmtp: null,
      inboundTls: null,
      senderThreads: 0,
      logLevel: "info",
      logFormat: "json",
    });
    expect(["127.0.0.1", "::1", "10.0.0.1"].map(isTrustedProxy)).toEqual([true, true, false]);
  });

  test("takes every option from a variable and from a flag, which wins", () => {
    const VALUES: Record<string, readonly [string, string, (config: Config) => unknown, unknown, unknown]> = {
      HOST: ["0.0.0.0", "::1", (c) => c.host, "0.0.0.0", "::1"],
      PORT: ["1", "65535", (c) => c.port, 1, 65535],
      BASE_URL: [
        "https://Mail.example.com/",
        "http://a.example/post/",
        (c) => c.baseUrl,
        "https://mail.example.com",
        "http://a.example/post",
      ],
      DATA_DIR: ["/var/a", "b", (c) => c.dataDir, "/var/a", "b"],
      DATABASE_URL: [
        "postgres://a@h/x",
        "postgresql://b@h/y",
        (c) => c.database?.url,
        "postgres://a@h/x",
        "postgresql://b@h/y",
      ],
      DATABASE_PREPARE: ["off", "on", (c) => c.database?.prepare, false, true],
      DATABASE_FAILOVER: ["trusted", "held", (c) => c.database?.trustsFailover, true, false],
      SMTP_URL: [
        "smtp://a.example smtp://b.example",
        "smtps://c.example",
        (c) => c.relays?.map(({ host }) => host),
        ["a.example", "b.example"],
        ["c.example"],
      ],
      TRUSTED_PROXIES: ["10.0.0.0/8", "", (c) => c.isTrustedProxy("10.1.2.3"), true, false],
      CORS_ORIGINS: [
        "https://app.example.com, http://localhost:3000",
        "https://B.example:443",
        (c) => c.corsOrigins,
        ["https://app.example.com", "http://localhost:3000"],
        ["https://b.example"],
      ],
      METRICS_TOKEN: [
        "analytical-engine",
        "a-compiler-for-grace",
        (c) => c.metricsToken,
        "analytical-engine",
        "a-compiler-for-grace",
      ],
      MAILBOX_TOKEN: [
        "analytical-engine",
        "a-compiler-for-grace",
        (c) => c.mailboxToken,
        "analytical-engine",
        "a-compiler-for-grace",
      ],
      INBOUND_SMTP: [
        "0.0.0.0:25",
        "[::]:2525",
        (c) => c.inboundSmtp,
        { host: "0.0.0.0", port: 25 },
        { host: "::", port: 2525 },
      ],
      INBOUND_TLS_CERT: ["mx.pem", "/etc/mx.pem", (c) => c.inboundTls?.certFile, "mx.pem", "/etc/mx.pem"],
      INBOUND_TLS_KEY: ["mx.key", "/etc/mx.key", (c) => c.inboundTls?.keyFile, "mx.key", "/etc/mx.key"],
      SENDER_THREADS: ["2", "0", (c) => c.senderThreads, 2, 0],
      LOG_LEVEL: ["debug", "error", (c) => c.logLevel, "debug", "error"],
      LOG_FORMAT: ["pretty", "json", (c) => c.logFormat, "pretty", "json"],
    };
    expect(OPTIONS.map(({ variable }) => variable as string)).toEqual(Object.keys(VALUES));
    for (const [variable, [set, flag, of, bySet, byFlag]] of Object.entries(VALUES)) {
      // Each of the two files needs the other.
      const needed = variable.startsWith("INBOUND_TLS_")
        ? { INBOUND_TLS_CERT: "other.pem", INBOUND_TLS_KEY: "other.key" }
        : { DATABASE_URL: "postgres://other@h/z" };
      const environment = { ...needed, [variable]: set };
      expect([variable, of(config(environment))]).toEqual([variable, bySet]);
      expect([variable, of(config(environment, { [flagOf(variable)]: flag }))]).toEqual([variable, byFlag]);
    }
  });

  test("derives the base URL from the port, and the log format from the terminal", () => {
    expect(config({ PORT: "8025" }).baseUrl).toBe("http://localhost:8025");
    expect(config({}, {}, true).logFormat).toBe("pretty");
  });

  test("takes an address of IPv6 with and without brackets", () => {
    expect([config({ HOST: "[::1]" }).host, config({ HOST: "::1" }).host]).toEqual(["::1", "::1"]);
    expect(refusalOf(read({ HOST: "127.0.0.1:8080" }))).toEndWith(
      "has a port behind the address: give that as PORT",
    );
  });

  test("wants both files of inbound TLS, or neither", () => {
    expect(refusalOf(read({ INBOUND_TLS_CERT: "mx.pem" }))).toStartWith("INBOUND_TLS_KEY: ");
    expect(refusalOf(read({ INBOUND_TLS_KEY: "mx.key" }))).toStartWith("INBOUND_TLS_CERT: ");
  });

  test.each([
    { PORT: "8080\r" },
    { HOST: '"127.0.0.1"' },
    { BASE_URL: "'https://mail.example.com'" },
    { DATABASE_URL: '"postgres://ada:pw@db/x"' },
    { SMTP_URL: "'smtp://a.example'" },
    { METRICS_TOKEN: '"0123456789abcdef"' },
    { LOG_LEVEL: " info" },
    { DATA_DIR: '"/data"' },
  ])("says what a file of variables has left around a value: %j", (variables) => {
    expect(refusalOf(read(variables))).toEndWith("quotes, a blank or a line end around it: take them away)");
  });

  test("takes an empty variable for one that is not set", () => {
    expect(config(Object.fromEntries(OPTIONS.map(({ variable }) => [variable, ""]))).port).toBe(8080);
  });

  const BAD: readonly (readonly [string, readonly string[]])[] = [
    ["HOST", ["a b", "http://x", "127.0.0.1:8080", "[127.0.0.1]", "[a:b]", "1:2", "fe80::1%eth0"]],
    ["PORT", ["0", "65536", "80a", "-1", "8e3"]],
    [
      "BASE_URL",
      [
        "mail.example.com",
        "ftp://x",
        "https://",
        "https://ada:pw@x.example",
        "https://x.example/?a",
        "https://x.example/#a",
        "https://mail.example.com,https://b",
        "https://mail.example.com/,https://b",
        "https://mail_(1).example.com",
      ],
    ],
    [
      "INBOUND_SMTP",
      ["25", "mx.example.com", "0.0.0.0:0", "0.0.0.0:65536", "::1:25", "[1.2.3.4]:25", "a b:25", ":"],
    ],
    [
      "DATABASE_URL",
      [
        "db.example.com",
        "postgres://ada:100%@db/x",
        "postgres://ada%:pw@db/x",
        "postgres://ada:pw@db/50%",
        "postgres://ada:pw%zz@db/x",
      ],
    ],
    ["SMTP_URL", ["mail.example.com", "http://x", "smtp://ada@x"]],
    ["DATA_DIR", ['"/data"', "'/data'", "/data\r", "/data ", " /data", "/da\nta"]],
    ["TRUSTED_PROXIES", ["localhost", "10.0.0.0/99"]],
    ["METRICS_TOKEN", ["too short", "0123456789 abcdef", "0123456789abcdéf", '"0123456789abcdef"']],
    ["CORS_ORIGINS", ["*", "app.example.com", "https://app.example.com/path", "null", "ftp://a.example"]],
    ["MAILBOX_TOKEN", ["too short", "0123456789 abcdef", "'0123456789abcdef'"]],
    ["LOG_LEVEL", ["verbose", "INFO"]],
    ["LOG_FORMAT", ["xml"]],
  ];
  test.each(BAD)("names what is wrong, in one line: %s", (variable, values) => {
    for (const value of values) {
      expect(refusalOf(read({ [variable]: value }))).toMatch(new RegExp(`^${variable}: [^\n]+$`));
      expect(refusalOf(read({}, { [flagOf(variable)]: value }))).toMatch(
        new RegExp(`^--${flagOf(variable)}: [^\n]+$`),
      );
    }
  });

  test("gives a command the directory that it gives the server: an empty flag is refused, not passed over", () => {
    const places: [Record<string, string>, Record<string, string>][] = [
      [{}, {}],
      [{ DATA_DIR: "" }, {}],
      [{ DATA_DIR: "/var/a" }, {}],
      [{ DATA_DIR: "/var/a" }, { "data-dir": "b" }],
      [{ DATA_DIR: "/var/a" }, { "data-dir": "" }],
      [{ DATA_DIR: "/var/a " }, {}],
    ];
    const found = places.map(([environment, flags]) => {
      const directory = readDataDirectory({ environment, flags });
      const whole = read(environment, flags);
      expect(directory).toEqual(whole.ok ? { ok: true, value: whole.value.dataDir } : whole);
      return directory.ok ? directory.value : directory.refusal.message.split(":")[0];
    });
    expect(found).toEqual(["./data", "./data", "/var/a", "b", "--data-dir", "DATA_DIR"]);
  });

  test("never repeats a password", () => {
    const refusal = refusalOf(read({ SMTP_URL: "smtp://ada:lovelace@x.example:99999" }));
    expect(refusal).toStartWith("SMTP_URL: ");
    expect(refusal).not.toContain("lovelace");
    expect(refusalOf(read({ METRICS_TOKEN: "love lace" }))).not.toContain("love");
  });
});
