import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { encoded } from "../../support/people/encoded.ts";
import { startImportCommand, type ImportCommand } from "../../support/server/import-command.ts";

let command: ImportCommand;
beforeAll(async () => {
  command = await startImportCommand();
});
beforeEach(() => command.inNewWorkspace());
afterAll(() => command.stop());

const importing: ImportCommand["importing"] = (...given) => command.importing(...given);
const api: ImportCommand["api"] = (...asked) => command.api(...asked);
const people: ImportCommand["people"] = (path) => command.people(path);

describe("a file", () => {
  test("may have a byte order mark, CRLF, quotes, cells of several lines and columns in any order", async () => {
    const { result, err } = await importing(
      '\uFEFFstatus,"tags", email ,lastName,firstName\r\n' +
        'SUBSCRIBED,vip; early ;vip,Ada@Example.com,Lovelace,"Ada ""the first"""\r\n' +
        'pending,,grace@example.com,"Hopper\r\nRear Admiral",Grace\r\n' +
        "\r\n,,,,\r\n" +
        "SUBSCRIBED,,linus@example.com,,\r\n",
    );
    expect(err).toBe("");
    expect(result).toEqual({ created: 3, updated: 0, skipped: 0, errors: [] });
    expect(await people()).toEqual([
      ["ada@example.com", 'Ada "the first"', "Lovelace", "vip;early", "SUBSCRIBED"],
      ["grace@example.com", "Grace", "Hopper\nRear Admiral", "", "PENDING"],
      ["linus@example.com", "", "", "", "SUBSCRIBED"],
    ]);
  });

  test("has its bad rows reported with the line they start on; the others are imported", async () => {
    const { code, result } = await importing(
      [
        "email,firstName,tags,status",
        "ada@example.com,Ada,,SUBSCRIBED",
        "not-an-address,,,SUBSCRIBED",
        '"grace@example.com","Grace\nMurray",,',
        "linus@example.com,Linus,,SUBSCRIPED",
        "barbara@example.com,Liskov, Barbara,,SUBSCRIBED",
        `donald@example.com,Don,${"x".repeat(101)},SUBSCRIBED`,
        "edsger@example.com,Edsger,,PENDING",
        'frances@example.com,"Frances,,SUBSCRIBED',
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
    expect(result).toMatchObject({ created: 2, updated: 0, skipped: 0 });
    expect(result.errors).toEqual([
      { line: 3, message: expect.stringContaining("@") },
      { line: 4, message: expect.stringContaining("no status") },
      { line: 6, message: expect.stringContaining('"SUBSCRIPED"') },
      { line: 7, message: expect.stringContaining("5 cells for 4 columns") },
      { line: 8, message: expect.stringContaining("100 characters") },
      { line: 10, message: expect.stringContaining("never closed") },
    ]);
    expect((await people()).map(([email]) => email)).toEqual(["ada@example.com", "edsger@example.com"]);
  });

  test("in Windows-1252, as Excel saves it, is read; a few broken letters in UTF-8 are rows with an error", async () => {
    const windows = Buffer.from("email;firstName\r\ngrace@example.com;Andr\xe9 \x80\r\n", "latin1");
    expect((await importing(windows, "--status", "PENDING")).result).toMatchObject({
      created: 1,
      errors: [],
    });
    expect((await people())[0]).toEqual(["grace@example.com", "André €", "", "", "PENDING"]);
    const broken = Buffer.concat([
      Buffer.from("email,firstName\nzoe@example.com,Zoë Ångström\nada@example.com,"),
      Buffer.from([0xe9, 0x0a]),
    ]);
    const { result } = await importing(broken, "--status", "PENDING");
    expect(result).toMatchObject({
      created: 1,
      errors: [{ line: 3, message: expect.stringContaining("UTF-8") }],
    });
    expect((await people()).map(([email]) => email)).toEqual(["grace@example.com", "zoe@example.com"]);
  });

  test("in an encoding that is neither is refused, and nothing of it is mangled into the database", async () => {
    const text = encoded("windows-1251", "email,firstName\nada@example.com,Иван\n");
    const { code, err } = await importing(text, "--status", "PENDING");
    expect([code, err.includes("UTF-8"), await people()]).toEqual([2, true, []]);
    const named = await importing(text, "--status", "PENDING", "--encoding", "CP1251");
    expect(named.result).toMatchObject({ created: 1, errors: [] });
    expect((await people())[0]).toEqual(["ada@example.com", "Иван", "", "", "PENDING"]);
  });

  test("has an encoding that is known by its name", async () => {
    const { code, err } = await importing(
      "email\nada@example.com\n",
      "--status",
      "PENDING",
      "--encoding",
      "odd",
    );
    expect([
      code,
      err.trim().split("\n").length,
      err.includes("--encoding: `encoding` must be one of utf-8"),
    ]).toEqual([2, 1, true]);
  });

  test.each([
    ["little-endian", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["big-endian", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
  ])("in UTF-16 with a byte order mark is read: %s", async (_, encode) => {
    const rows = Array.from({ length: 3_000 }, (__, i) => `zoë${i}@example.com,Zoë 👩‍🚀`.replace("zoë", "zoe"));
    const { result } = await importing(
      encode(`email,firstName\r\n${rows.join("\r\n")}`),
      "--status",
      "PENDING",
    );
    expect(result).toEqual({ created: 3_000, updated: 0, skipped: 0, errors: [] });
    expect((await people()).at(-1)).toEqual(["zoe2999@example.com", "Zoë 👩‍🚀", "", "", "PENDING"]);
  });

  test.each([
    ["UTF-16, little-endian", (text: string) => Buffer.from(text, "utf16le")],
    ["UTF-16, big-endian", (text: string) => Buffer.from(text, "utf16le").swap16()],
  ])("in %s is recognized without a byte order mark too", async (_, encode) => {
    const text = "email,firstName\ngrace@example.com,Grace Émilie\n";
    expect((await importing(encode(text), "--status", "PENDING")).result).toMatchObject({ created: 1 });
    expect((await people())[0]).toEqual(["grace@example.com", "Grace Émilie", "", "", "PENDING"]);
  });

  test("in UTF-32 is refused", async () => {
    const text = "email,firstName\ngrace@example.com,Grace\n";
    const bytes = Buffer.from(Uint32Array.from(Buffer.from(text)).buffer);
    const { code, result, err } = await importing(bytes, "--status", "PENDING");
    expect([code, result]).toEqual([2, null]);
    expect(err).toContain("UTF-8");
    expect(await people()).toEqual([]);
  });

  test("may hold a line of any length: it is left out, once, and what is behind it is read", async () => {
    const long = "x".repeat(5 * 1024 * 1024);
    const { result } = await importing(
      `email,firstName\nada@example.com,Ada\n${long}\ngrace@example.com,"Gr\n${long}\nace"\nlinus@example.com,Linus\n${long}`,
      "--status",
      "PENDING",
    );
    const tooLong = expect.stringContaining("longer than 1 MiB");
    expect(result).toEqual({
      created: 2,
      updated: 0,
      skipped: 0,
      errors: [
        { line: 3, message: tooLong },
        { line: 4, message: tooLong },
        { line: 8, message: tooLong },
      ],
    });
    expect((await people()).map(([email]) => email)).toEqual(["ada@example.com", "linus@example.com"]);
  });

  test("with a quote that is never closed says so once, however much is behind it", async () => {
    const behind = "grace@example.com,Grace\n".repeat(200_000);
    const { result } = await importing(
      `email,firstName\nada@example.com,"Ada\n${behind}`,
      "--status",
      "PENDING",
    );
    expect(result.errors).toEqual([{ line: 2, message: expect.stringContaining("never closed") }]);
  });

  test("with errors in every line has the first 1,000 told and the others counted, and fails", async () => {
    const bad = "email\n" + "nobody\n".repeat(1_234);
    const { code, result, err } = await importing(bad, "--status", "PENDING");
    expect(code).toBe(1);
    expect(result).toMatchObject({ created: 0, updated: 0, skipped: 0, moreErrors: 234 });
    expect(result.errors).toHaveLength(1_000);
    expect(JSON.parse(err).error.message).toBe("nothing was imported: every row has an error");
    const args = ["import", "contacts", command.file, "--status", "PENDING"];
    const told = (await command.run(args)).err.trimEnd().split("\n");
    expect(told.slice(1_000)).toEqual([
      "postrider: 234 more rows have errors",
      "postrider: nothing was imported: every row has an error",
    ]);
  });

  test("with one error more than are told speaks of one row", async () => {
    await importing("email\n" + "nobody\n".repeat(1_001), "--status", "PENDING");
    const { err } = await command.run(["import", "contacts", command.file, "--status", "PENDING"]);
    expect(err.split("\n").at(-3)).toBe("postrider: 1 more row has errors");
  });

  test("of its first row alone imports nobody, which is a failure", async () => {
    const { code, result, err } = await importing("email,firstName\n", "--status", "PENDING");
    expect(code).toBe(1);
    expect(result).toEqual({ created: 0, updated: 0, skipped: 0, errors: [] });
    expect(err).toContain("no row behind the first");
  });

  test("of people who had all left before is done as the rules want it: no failure", async () => {
    await importing("email\nada@example.com\n", "--status", "UNSUBSCRIBED");
    const { code, result } = await importing("email\nada@example.com\n", "--status", "SUBSCRIBED");
    expect([code, result.skipped]).toEqual([0, 1]);
  });

  test("has its unknown columns named in one warning", async () => {
    const { err, result } = await importing(
      "Email,email,Company\nx,ada@example.com,Analytical Engines\n",
      "--status",
      "SUBSCRIBED",
    );
    expect(err).toBe('postrider: columns that are not imported: "Email", "Company"\n');
    expect(result.created).toBe(1);
  });

  test("names a column that is read for who left once, and not as one that is not imported", async () => {
    const read = await importing(
      "email,Account state,Company\nada@example.com,active,Analytical Engines\nout@example.com,unsubscribed,\n",
      "--status",
      "SUBSCRIBED",
    );
    expect(read.err.match(/".*?"/g)).toEqual(['"Company"', '"Account state"']);
    const brevo = await importing(
      "EMAIL,FIRSTNAME,EMAIL_BLACKLISTED\nout2@example.com,Ada,Yes\n",
      "--map",
      "EMAIL=email",
      "--status",
      "SUBSCRIBED",
    );
    expect(brevo.err).toBe('postrider: columns that are not imported: "FIRSTNAME"\n');
  });

  test("of listmonk is warned about where it subscribes: it has people who left a list as enabled", async () => {
    const file = "uuid,email,name,attributes,status\nu1,ada@example.com,Ada,{},enabled\n";
    const isWarned = async (...flags: string[]): Promise<boolean> => {
      const { code, err } = await importing(file, ...flags);
      expect(code).toBe(0);
      return /^postrider: listmonk has people who left a list .*--status UNSUBSCRIBED/m.test(err);
    };
    expect(await isWarned()).toBe(true);
    expect(await isWarned("--status", "SUBSCRIBED")).toBe(true);
    expect(await isWarned("--map", "status=", "--status", "SUBSCRIBED")).toBe(true);
    expect(await isWarned("--status", "PENDING")).toBe(false);
    expect(await isWarned("--status", "UNSUBSCRIBED")).toBe(false);
  });

  test("of another tool that has no column for who left is warned about too", async () => {
    const brevo = "EMAIL;FIRSTNAME;ADDED_TIME\nada@example.com;Ada;12-04-2022\n";
    const says = "postrider: this file of brevo does not say who unsubscribed there";
    expect((await importing(brevo, "--status", "SUBSCRIBED")).err).toStartWith(says);
    const agreed = "EMAIL;FIRSTNAME;_SUBSCRIBED\nada@example.com;Ada;email_marketing\n";
    expect((await importing(agreed, "--status", "SUBSCRIBED")).err).toStartWith(says);
    const told = "EMAIL;FIRSTNAME;EMAIL_BLACKLISTED\nada@example.com;Ada;No\n";
    expect((await importing(told, "--status", "SUBSCRIBED")).err).toBe("");
  });

  test("of people who never agreed, by its name, subscribes nobody", async () => {
    const path = command.file.replace(/people\.csv$/, "nonsubscribed_members_export_0a1b2c.csv");
    writeFileSync(path, "Email Address,LEID\nada@example.com,1\n");
    const { code, err } = await command.run(["import", "contacts", path, "--status", "SUBSCRIBED"]);
    expect([code, err]).toEqual([2, expect.stringContaining("never agreed")]);
    expect(await people()).toEqual([]);
    expect((await command.run(["import", "contacts", path, "--status", "PENDING"])).code).toBe(0);
    expect(await people()).toEqual([["ada@example.com", "", "", "", "PENDING"]]);
  });

  test("of those who left Mailchimp subscribes nobody, and says where the time is missing", async () => {
    const file = "Email Address,LEID,UNSUB_TIME\nada@example.com,1,\neve@example.com,2,2024-01-01 00:00:00\n";
    const { result } = await importing(file, "--status", "SUBSCRIBED");
    expect(result.errors).toEqual([
      { line: 2, message: expect.stringContaining(`the column "UNSUB_TIME" is empty`) },
    ]);
    expect(await people()).toEqual([["eve@example.com", "", "", "", "UNSUBSCRIBED"]]);
  });

  test("has its columns mapped by --map, and the others kept by --unknown-columns", async () => {
    const { code, err } = await importing(
      "Contact,Called,Company\nada@example.com,Ada,Analytical Engines\n",
      "--map",
      "Contact=email",
      "--map",
      "Called=firstName",
      "--status",
      "SUBSCRIBED",
      "--unknown-columns",
      "attributes",
    );
    expect([code, err]).toEqual([0, ""]);
    expect(await people()).toEqual([["ada@example.com", "Ada", "", "", "SUBSCRIBED"]]);
    const [{ id }] = await api("GET", "/contacts");
    const shown = await api("GET", `/contacts/${id}?include=attributes`);
    expect(shown.attributes).toEqual({ Company: "Analytical Engines" });
  });

  test("has the values of its attributes kept as --type says", async () => {
    const { code, result } = await importing(
      "email;status;Umsatz;Stand=Tag;Ort\nada@example.com;PENDING;1.234,50;31.12.2026;7\nbob@example.com;PENDING;viel;;\n",
      "--unknown-columns",
      "attributes",
      "--type",
      "Umsatz=number-comma",
      "--type",
      "Stand=Tag=date-dmy",
    );
    expect([code, result]).toEqual([
      0,
      {
        created: 2,
        updated: 0,
        skipped: 0,
        errors: [{ line: 3, message: 'imported with Umsatz as text: "viel" is no number such as 1.234,50' }],
      },
    ]);
    const [ada] = await api("GET", "/contacts?q=ada@example.com&include=attributes");
    expect(ada.attributes).toEqual({ Umsatz: 1234.5, stand_tag: "2026-12-31", Ort: "7" });
  });

  test("has who left elsewhere read from columns that are named in a warning, unless --map says otherwise", async () => {
    const file = "email,disabled\nada@example.com,no\neve@example.com,yes\n";
    const { code, err } = await importing(file, "--status", "SUBSCRIBED");
    expect([code, err]).toEqual([0, expect.stringContaining("--map 'disabled='")]);
    const statuses = async () => (await people()).map(([email, , , , status]) => [email, status]);
    expect(await statuses()).toEqual([
      ["ada@example.com", "SUBSCRIBED"],
      ["eve@example.com", "UNSUBSCRIBED"],
    ]);
    await command.inNewWorkspace();
    expect(await importing(file, "--status", "SUBSCRIBED", "--map", "disabled=")).toMatchObject({
      code: 0,
      err: "",
    });
    expect((await statuses()).map(([, status]) => status)).toEqual(["SUBSCRIBED", "SUBSCRIBED"]);
  });

  const UNUSABLE: readonly (readonly [string, string, readonly string[], RegExp])[] = [
    ["no email column", "Address,status\nada@example.com,SUBSCRIBED\n", [], /no column email/],
    [
      "a column twice",
      "email,status,email\nada@example.com,SUBSCRIBED,x\n",
      [],
      /column email is there twice/,
    ],
    [
      "a person in its first row",
      "ada@example.com\nbob@example.com\n",
      ["--status", "PENDING", "--map", "ada@example.com=email"],
      /first row is a person/,
    ],
    ["no word on the status", "email\nada@example.com\n", [], /--status/],
    [
      "a bad --status",
      "email\nada@example.com\n",
      ["--status", "subscribe"],
      /--status: the status "subscribe"/,
    ],
    [
      "a --type that there is not",
      "email,age\nada@example.com,36\n",
      ["--status", "PENDING", "--map", "age=attributes.age", "--type", "age=integer"],
      /--type: "age=integer" is not HEADER=TYPE; the types are text, number,/,
    ],
    [
      "a --type of a column that is left out",
      "email,age\nada@example.com,36\n",
      ["--status", "PENDING", "--type", "age=number"],
      /"age", which become no attribute and no time of consent: say with `mapping` \(--map\)/,
    ],
    ["no table", "PK\u0003\u0004\u0014", ["--status", "PENDING"], /workbook or an archive .* unpack it/],
    ["nothing in it", "", ["--status", "PENDING"], /is empty/],
  ];
  test.each(UNUSABLE)("is refused with exit code 2 and nothing done: %s", async (_, text, flags, says) => {
    const { code, out, err } = await importing(text, ...flags);
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(err).error.message).toMatch(says);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(await people()).toEqual([]);
  });
});

test("several thousand rows go in while the server answers, each of them once", async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => `person${i}@example.com`);
  const list = await api("POST", "/lists", { name: "Everybody" });
  const importingAll = importing(["email", ...rows].join("\n"), "--status", "SUBSCRIBED", "--list", list.id);
  const written = await Promise.all(
    Array.from({ length: 50 }, (_, i) => api("POST", "/contacts", { email: `person${i * 100}@example.com` })),
  );
  expect(written).toHaveLength(50);
  const { result } = await importingAll;
  expect(result.created + result.updated).toBe(5_000);
  expect(result.errors).toEqual([]);
  expect((await api("GET", `/lists/${list.id}`)).contactCount).toBe(5_000);
});
