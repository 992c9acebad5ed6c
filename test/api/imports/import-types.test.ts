/** docs/contract.md "Many at once": a file has only text, so `types` says which columns are numbers, dates, yes or no. */
import { describe, expect, test } from "bun:test";
import { errorsOf, imported, peopleOf, upload } from "../../support/people/imports.ts";
import { hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const MAPPING = {
  email: "email",
  Umsatz: "attributes.revenue",
  Geburtstag: "attributes.birthday",
  Kunde: "attributes.customer",
};
const TYPES = { Umsatz: "number-comma", Geburtstag: "date-dmy", Kunde: "boolean" };
const FILE =
  "email;Umsatz;Geburtstag;Kunde\n" +
  "ada@example.com;1.234,50 €;10.12.1985;ja\n" +
  "grace@example.com;12;09.12.1996;nein\n" +
  "linus@example.com;;;\n";
const OPTIONS = { status: "SUBSCRIBED", mapping: MAPPING, types: TYPES };

/** The addresses that a condition finds. */
const found = async (field: string, op: string, value: unknown): Promise<string[]> => {
  const { body } = await inOwn.call("POST", "/segments/preview", { rules: { field, op, value } });
  return body.data.sample.map(({ email }: { email: string }) => email).toSorted();
};

describe("an import with types", () => {
  test("keeps numbers, dates, yes and no as such, so that segments can ask for them", async () => {
    expect(await imported(inOwn, FILE, OPTIONS)).toMatchObject({ state: "DONE", created: 3, failed: 0 });
    const people = await peopleOf(inOwn);
    expect(people["ada@example.com"].attributes).toEqual({
      revenue: 1234.5,
      birthday: "1985-12-10",
      customer: true,
    });
    expect(people["grace@example.com"].attributes).toEqual({
      revenue: 12,
      birthday: "1996-12-09",
      customer: false,
    });
    expect(people["linus@example.com"].attributes).toEqual({});
    expect(await found("attributes.revenue", "greaterThan", 100)).toEqual(["ada@example.com"]);
    expect(await found("attributes.birthday", "after", "1990-01-01")).toEqual(["grace@example.com"]);
    expect(await found("attributes.customer", "equals", true)).toEqual(["ada@example.com"]);
  });

  test("says nothing about the cells of a contact that is kept", async () => {
    await imported(inOwn, FILE, OPTIONS);
    const file =
      "email;Umsatz;Geburtstag;Kunde\n" +
      "ada@example.com;viel;;\n" +
      "new@example.com;viel;;\n" +
      "nobody;viel;;\n";
    const one = await imported(inOwn, file, { ...OPTIONS, existing: "keep" });
    expect(one).toMatchObject({ state: "DONE", created: 1, skipped: 1, failed: 1 });
    expect((await errorsOf(inOwn, one.id)).map(([line]) => line)).toEqual([3, 4]);
  });

  test("lists the rows that fail also behind a thousand that were imported with a cell that does not fit", async () => {
    const rows = Array.from({ length: 1_100 }, (_, i) => `p${i}@example.com;viel;;\n`).join("");
    const file = `email;Umsatz;Geburtstag;Kunde\n${rows}nobody;1;;\n`;
    const one = await imported(inOwn, file, OPTIONS);
    expect(one).toMatchObject({ created: 1_100, failed: 1 });
    const lines: number[] = [];
    for (let after: string | null = ""; after !== null;) {
      const path: string = `/imports/${one.id}/errors?limit=100${after === "" ? "" : `&after=${after}`}`;
      const { data, pagination } = (await inOwn.call("GET", path)).body;
      lines.push(...data.map(({ line }: { line: number }) => line));
      after = pagination.nextCursor;
    }
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([501, 2, 1_102]);
  });

  test("keeps a cell that does not fit as it is written, and lists it; the person is imported", async () => {
    const file =
      "email;Umsatz;Geburtstag;Kunde\nada@example.com;viel;10.12.1985;1\ngrace@example.com;007;31.2.1996;wer weiß\n";
    const one = await imported(inOwn, file, OPTIONS);
    expect(one).toMatchObject({ state: "DONE", created: 2, failed: 0 });
    expect(await errorsOf(inOwn, one.id)).toEqual([
      [2, 'imported with revenue as text: "viel" is no number such as 1.234,50'],
      [
        3,
        'imported with revenue as text: "007" is no number such as 1.234,50; ' +
          'imported with birthday as text: "31.2.1996" is no date such as 31.12.2026; ' +
          'imported with customer as text: "wer weiß" is neither yes nor no',
      ],
    ]);
    const people = await peopleOf(inOwn);
    expect(people["ada@example.com"].attributes).toEqual({
      revenue: "viel",
      birthday: "1985-12-10",
      customer: true,
    });
    expect(people["grace@example.com"].attributes).toEqual({
      revenue: "007",
      birthday: "31.2.1996",
      customer: "wer weiß",
    });
  });

  test("names the first few of many cells that do not fit", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
    const types = Object.fromEntries(names.map((name) => [name, "number"]));
    const file = `email,${names.join()}\nada@example.com${",x".repeat(8)}\n`;
    const one = await imported(inOwn, file, { status: "PENDING", unknownColumns: "attributes", types });
    const [[line, message] = [0, ""]] = await errorsOf(inOwn, one.id);
    expect([line, message.split("; ").length, message.split("; ").at(-1)]).toEqual([2, 6, "and 3 more"]);
  });

  test("needs no mapping: of a known tool's file, and of our own export, which has negative numbers guarded", async () => {
    const mailchimp = "Email Address,First Name,Last Name,Orders\nada@example.com,Ada,King,3\n";
    await imported(inOwn, mailchimp, {
      status: "SUBSCRIBED",
      unknownColumns: "attributes",
      types: { Orders: "number" },
    });
    const ours =
      "email,firstName,lastName,tags,status,createdAt,attributes.balance\n" +
      "grace@example.com,Grace,,,SUBSCRIBED,2026-01-01T00:00:00.000Z,'-5.5\n";
    await imported(inOwn, ours, { types: { "attributes.balance": "number" } });
    const people = await peopleOf(inOwn);
    expect(people["ada@example.com"].attributes).toEqual({ Orders: 3 });
    expect(people["grace@example.com"].attributes).toEqual({ balance: -5.5 });
  });

  test("whose columns are called like members of every object reads them as text", async () => {
    const file = "email,constructor,toString,__proto__\nada@example.com,1,2,3\n";
    await imported(inOwn, file, { status: "PENDING", unknownColumns: "attributes" });
    const { "ada@example.com": ada } = await peopleOf(inOwn);
    expect(ada.attributes).toEqual({ constructor: "1", toString: "2", proto: "3" });
  });

  test.each([
    [{ types: { email: "text" } }, "become no attribute"],
    [
      { types: { Stadt: "number" } },
      'The types name the columns "Stadt", which are not there. There are "email"',
    ],
    [{ types: { Umsatz: "integer" } }, "must be one of text, number, number-comma"],
    [{ types: { Umsatz: null } }, "must be one of"],
    [{ types: ["number"] }, "`types` must be an object"],
    [{ types: "number" }, "types"],
  ])("is refused with %j", async (options, message) => {
    const { status, body } = await upload(inOwn, "/imports", FILE, { ...OPTIONS, ...options });
    expect([status, body.error.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test("is refused where the column with a type is not imported", async () => {
    const options = { status: "PENDING", types: { Umsatz: "number" } };
    const { status, body } = await upload(inOwn, "/imports", FILE, options);
    expect([status, body.error.message]).toEqual([422, expect.stringContaining('"Umsatz"')]);
    expect((await upload(inOwn, "/imports", FILE, { ...options, unknownColumns: "attributes" })).status).toBe(
      202,
    );
  });
});

describe("a preview", () => {
  const typesOf = async (file: string): Promise<Record<string, string>> => {
    const { body } = await upload(inOwn, "/imports/preview?include=types", file);
    return Object.fromEntries(body.data.columns.map(({ header, type }: any) => [header, type]));
  };

  test("with include=types shows what the values of each column are", async () => {
    expect(await typesOf(FILE)).toEqual({ email: "text", ...TYPES });
    const { body } = await upload(inOwn, "/imports/preview", FILE);
    expect(Object.keys(body.data.columns[0])).toEqual(["header", "samples", "suggested"]);
  });

  test("suggests no number for an attribute that is text so far, because it would become both", async () => {
    const file = "email,plz,born,age\nada@example.com,10115,1985-12-10,36\n";
    await imported(inOwn, "email,plz,born\neve@example.com,01099,then\n", {
      status: "PENDING",
      unknownColumns: "attributes",
    });
    expect(await typesOf(file)).toEqual({ email: "text", plz: "text", born: "date", age: "number" });
  });

  test("of our own export reads negative numbers, which have a sign in front so that no spreadsheet runs them", async () => {
    const file =
      "email,firstName,lastName,tags,status,createdAt,attributes.balance\n" +
      "grace@example.com,Grace,,,SUBSCRIBED,2026-01-01T00:00:00.000Z,'-5.5\n";
    expect(await typesOf(file)).toMatchObject({ "attributes.balance": "number" });
  });

  test("with include=rows,types shows the rows with their values", async () => {
    const { body } = await upload(inOwn, "/imports/preview?include=rows,types", FILE, OPTIONS);
    expect(body.data.rows[0].contact.attributes).toEqual({
      revenue: 1234.5,
      birthday: "1985-12-10",
      customer: true,
    });
  });
});
