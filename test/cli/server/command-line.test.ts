import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { postrider, postriderProcess, PROGRAM, temporaryDirectory } from "../../support/server/postrider.ts";
import { isPostgres, needsSqlite } from "../../support/server/services.ts";

const home = temporaryDirectory();
const absent = `${home.path}/absent`;
afterAll(() => home.remove());

/** What was typed, and what the one line on standard error says. */
const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [["--no-such-flag"], /no flag "--no-such-flag"/],
  [["frobnicate"], /no command "frobnicate"/],
  [["key"], /key create \| list \| revoke/],
  [["key", "burn"], /no command "key burn"/],
  [["key", "revoke"], /needs ID/],
  [["key", "list", "extra"], /"extra"/],
  [["key", "list", "--json=yes"], /--json takes no value/],
  [["key", "list", "--help=1"], /--help takes no value/],
  [["--help=1"], /--help takes no value/],
  [["--port", "99999"], /--port: "99999"/],
  [["--log-level"], /--log-level needs a value/],
  [["key", "list", "--workspace", "ws_1", "--workspace=ws_2"], /--workspace is there twice, with two values/],
  [["settings", "set", "timezone"], /"timezone" is not written KEY=VALUE/],
  [["settings", "set", "timezone=Mars/Olympus"], /^postrider: timezone must be/],
  [["settings", "set", "smtpUrl=smtp://mail.example.com:465"], /smtpUrl, relay 1/],
  [["suppression", "add", "ada@example.com", "--reason", "BORED"], /--reason must be one of/],
  [["workspace", "create"], /needs --name/],
  [["help", "frobnicate"], /no command "frobnicate"/],
  [["help", "improt"], /no command "improt": did you mean `postrider import`\?/],
  [["imprt", "contacts"], /did you mean `postrider import contacts`\?/],
  [["contacts", "import"], /did you mean `postrider import contacts`\?/],
  [["keys", "list"], /did you mean `postrider key list`\?/],
  [["settings", "frob"], /no command "settings frob": settings get \| set\n/],
  [["campaign", "frob"], /no command "campaign frob": campaign .*stop/],
  [["key", "lsit"], /did you mean `postrider key list`\?/],
  [["key", "list", "--workspaec", "ws_1"], /key list has no flag "--workspaec": did you mean --workspace\?/],
  [["--prot", "8025"], /no flag "--prot": did you mean --port\?/],
  [["settings", "get", "mailing_address"], /did you mean mailingAddress\?/],
  [["settings", "set", "from-email=a@example.com"], /did you mean fromEmail\?/],
  [["scoring", "add", "--event", "x", "--points", "-x"], /--points needs a value; .* --points=-/],
  [["suppression", "add", "-4"], /no flag "-4"/],
  [["help", "backup", "x"], /no command "backup x": did you mean `postrider backup`\?/],
  [["key", "list", "--workspace="], /--workspace needs the ID of one/],
  [
    ["help", "settings", "set", "timezone"],
    /^postrider: there is no command "settings set timezone": did you mean `postrider settings set`\?$/m,
  ],
];

describe("what is typed wrongly", () => {
  test.concurrent.each(REFUSED.map(([args, says]) => [args.join(" "), args, says] as const))(
    "is refused in one line with exit code 2, and nothing happens: %s",
    async (_, args, says) => {
      const ended = await postrider(absent, args);
      expect(ended).toMatchObject({ code: 2, out: "" });
      expect(ended.err).toMatch(says);
      expect(ended.err.trimEnd().split("\n")).toHaveLength(1);
      expect(existsSync(absent)).toBe(false);
    },
  );

  test.concurrent("shows nothing of it that a terminal would act on", async () => {
    const ended = await postrider(absent, ["\u001b[2Jkey\u202e", "--\u009b2J"]);
    expect(ended.code).toBe(2);
    expect(ended.err.trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test.concurrent.each([
    [["key", "list", "--json", "extra"], 2, "USAGE"],
    [["frobnicate", "--json"], 2, "USAGE"],
    [["settings", "set", "timezone=Mars/Olympus", "--json"], 2, "VALIDATION_ERROR"],
    // Where there is no database; a new one of PostgreSQL has no workspace.
    [["key", "list", "--json"], 1, isPostgres ? "NOT_FOUND" : "FAILED"],
  ] as const)("with --json is told as JSON on one line of standard error: %j", async (args, code, name) => {
    const ended = await postrider(absent, args);
    expect(ended).toMatchObject({ code, out: "" });
    expect(ended.err.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(ended.err)).toEqual({ error: { code: name, message: expect.stringMatching(/\w/) } });
  });

  test.concurrent("never shows the password of a relay", async () => {
    const ended = await postrider(absent, [], { SMTP_URL: "http://ada:lovelace@mail.example.com" });
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toStartWith("postrider: SMTP_URL: ");
    expect(ended.err).not.toContain("lovelace");
  });
});

describe("help", () => {
  const EXPLAINED: readonly (readonly [string, RegExp])[] = [
    ["--help", /PORT, --port NUMBER/],
    ["help", /import contacts FILE\.csv/],
    ["key create --help", /Example: postrider key create/],
    ["help suppression add", /--reason REASON/],
    ["key --help", /revoke ID/],
    ["serve --help", /--base-url URL/],
  ];
  test.concurrent.each(EXPLAINED)("explains on standard output: %s", async (line, says) => {
    const ended = await postrider(absent, line.split(" "));
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).toMatch(says);
  });
});

describe("a command without a database", () => {
  const isMade = needsSqlite("a database of PostgreSQL is made by somebody else");
  test.skipIf(isMade).concurrent("says so and makes none", async () => {
    const ended = await postrider(absent, ["key", "list", "--json"]);
    expect(ended).toMatchObject({ code: 1, out: "" });
    expect(ended.err).toContain(`there is no database in ${absent}`);
    expect(existsSync(absent)).toBe(false);
  });

  test.concurrent("is `version`", async () => {
    const { version } = await import("../../../package.json");
    expect(await postrider(absent, ["version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(JSON.parse((await postrider(absent, ["version", "--json"])).out)).toEqual({ version });
    expect(await postrider(absent, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(JSON.parse((await postrider(absent, ["--version", "--json"])).out)).toEqual({ version });
    expect((await postrider(absent, ["serve", "--version"])).code).toBe(2);
  });
});

describe("the program, in a process of its own,", () => {
  test("answers on standard output with exit code 0", async () => {
    const { version } = await import("../../../package.json");
    expect(await postriderProcess(absent, ["version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  test("ends with 2 for what is typed wrongly, 1 for what fails, and one line on standard error", async () => {
    const typedWrongly = await postriderProcess(absent, ["frobnicate"]);
    expect(typedWrongly).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^postrider: .*\n$/) });
    const failed = await postriderProcess(absent, ["key", "list", "--json"]);
    expect(failed).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/^\{"error":.*\}\n$/) });
    expect(existsSync(absent)).toBe(false);
  });

  test("reads its settings from its environment", async () => {
    const ended = await postriderProcess(absent, [], { PORT: "none" });
    expect(ended).toMatchObject({ code: 2, out: "", err: expect.stringContaining('PORT: "none"') });
  });

  test("ends quietly where nobody reads on", async () => {
    const line = `${PROGRAM.map((word) => `'${word}'`).join(" ")} openapi; echo "code $?" >&2`;
    const shell = Bun.spawn(["sh", "-c", `(${line}) | head -c 1`], { stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
    ]);
    expect([out, err]).toEqual(["{", "code 0\n"]);
  });
});
