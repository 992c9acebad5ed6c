/** What the columns of a file become, however many they are. */
import { describe, expect, spyOn, test } from "bun:test";
import { isAttributeName } from "#attributes/attribute.ts";
import { unwrap } from "#core/errors/errors.ts";
import { NO_OPTIONS, type ImportOptions } from "#imports/import-options.ts";
import { suggestColumns } from "#imports/rows/columns.ts";
import { planColumns } from "#imports/rows/plan-columns.ts";
import { fieldText } from "#imports/rows/field.ts";
import { headerNames } from "#imports/rows/header-names.ts";
import { leastCostMs } from "../../support/common/cpu-time.ts";

const many = (count: number, name: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => name(n));
const attributesOf = (headers: readonly string[]): string[] =>
  suggestColumns(headers, { mapping: null, unknownColumns: "attributes" }).fields.map((field) =>
    field === null ? "" : fieldText(field).replace("attributes.", ""),
  );

describe("columns with the same name", () => {
  test("are told apart by numbers that no other column has", () => {
    expect(headerNames(["a", "a (3)", " a", "", "a ", "a (3)", "", "a", "a (2)"])).toEqual([
      "a",
      "a (3)",
      "a (4)",
      "",
      "a (5)",
      "a (3) (2)",
      "",
      "a (6)",
      "a (2)",
    ]);
    const names = headerNames(many(2_000, (n) => (n % 3 === 0 ? `b (${n})` : "b")));
    expect(new Set(names).size).toBe(2_000);
  });

  test("become attributes that are told apart, and all have valid names", () => {
    expect(attributesOf(["email", "A b", "a-b", "a_b_2", "a.b", "email"])).toEqual([
      "email",
      "a_b",
      "a_b_2",
      "a_b_2_2",
      "a_b_3",
      "email_2",
    ]);
    const names = attributesOf(many(2_000, (n) => `${"x".repeat(64)}${n}`));
    expect([new Set(names).size, names.every(isAttributeName)]).toEqual([2_000, true]);
  });
});

/** These took as long as the square of their number, and nothing else ran meanwhile. Compared with as many that are easy. */
const EASY_FILES = 40;
const COLUMNS = 2_000;
/** Where each of them is compared with the others quickly. */
const MORE = 8_000;
const easy = many(COLUMNS, (n) => `column ${n}`);
test.each<[string, string[], Partial<ImportOptions>]>([
  ["columns of one name", many(COLUMNS, () => "a"), {}],
  [
    "columns that begin alike",
    many(COLUMNS, (n) => `${"x".repeat(64)}${n}`),
    { unknownColumns: "attributes" },
  ],
  ["columns that ask who wants mail", [...many(MORE, (n) => `Newsletter ${n}`), "emailBlacklisted"], {}],
  ["columns that say who agreed", [...many(MORE, (n) => `${n} opt in`), "emailBlacklisted"], {}],
])("thousands of %s are less work than forty times as many that are easy", async (_, columns, given) => {
  const options: ImportOptions = { ...NO_OPTIONS, status: "PENDING", ...given };
  const plan = (headers: readonly string[]) => unwrap(planColumns(["email", ...headers], options));
  // So many, because the system counts processor time in steps of some milliseconds.
  const reference = await leastCostMs(() => {
    for (let n = 0; n < EASY_FILES; n++) plan(easy);
  });
  expect((await leastCostMs(() => plan(columns))) / reference).toBeLessThan(1);
});

test("columns that may be one half of a name are not compared with all others each", () => {
  const halves = many(COLUMNS, (n) => `n${[...n.toString(2)].map((bit) => " _"[Number(bit)]).join("")}ame`);
  const tests = spyOn(RegExp.prototype, "test");
  try {
    unwrap(planColumns(["email", ...halves], { ...NO_OPTIONS, status: "PENDING" }));
    expect(tests.mock.calls.length).toBeLessThan(20 * COLUMNS);
  } finally {
    tests.mockRestore();
  }
});

test("a header is rid of its accents once, whatever it is compared with: for a MiB of them that takes a while", () => {
  const accented = many(COLUMNS, (n) => `Städtchen ${n}`);
  const normalize = spyOn(String.prototype, "normalize");
  try {
    const options = { ...NO_OPTIONS, status: "PENDING", unknownColumns: "attributes" } as const;
    unwrap(planColumns(["email", ...accented], options));
    expect(normalize.mock.calls.length).toBeLessThan(2 * COLUMNS);
  } finally {
    normalize.mockRestore();
  }
});

test("a mapping of far more columns than the file has is refused with less work than reading it ten times", async () => {
  const mapping: ImportOptions["mapping"] = Object.fromEntries(
    many(40_000, (n) => `x${100_000 + n}`).map((header, n) => [
      header,
      { kind: "attribute", name: `name_${n}` },
    ]),
  );
  const headers = ["email", ...many(COLUMNS, (n) => `y${100_000 + n}`)];
  const plan = () => planColumns(headers, { ...NO_OPTIONS, mapping, status: "PENDING" });
  expect(plan()).toMatchObject({ ok: false });
  const text = JSON.stringify(mapping);
  const reference = await leastCostMs(() => {
    for (let n = 0; n < 10; n++) JSON.parse(text);
  });
  expect((await leastCostMs(plan)) / reference).toBeLessThan(1);
});

describe("a status for everybody must come from a column or from the options", () => {
  const planned = (names: readonly string[], given: Partial<ImportOptions> = {}): string => {
    const plan = planColumns(names, { ...NO_OPTIONS, ...given });
    return plan.ok ? "" : plan.refusal.message;
  };
  const brevo = ["EMAIL", "FIRSTNAME", "EMAIL_BLACKLISTED"];

  test("so a column that names only those who left is not enough, with a mapping or without", () => {
    expect(planned(brevo)).toStartWith("The file says who left, but not what the others are");
    const mapping = { EMAIL: { kind: "email" } } as const;
    expect(planned(brevo, { mapping })).toStartWith("The file says who left");
    expect(planned(brevo, { status: "SUBSCRIBED" })).toBe("");
    expect(planned(brevo, { mapping: { ...mapping, FIRSTNAME: { kind: "status" } } })).toBe("");
  });

  test("and nor is one that says only who gets mail, which does not say who left", () => {
    const names = ["EMAIL", "FIRSTNAME", "_SUBSCRIBED"];
    expect(planned(names)).toStartWith("The file has no status column");
    const hiderOf = (headers: readonly string[]) =>
      unwrap(planColumns(headers, { ...NO_OPTIONS, status: "SUBSCRIBED" })).leaversHiddenBy;
    expect([hiderOf(names), hiderOf([...names, "_BLOCKLISTED"])]).toEqual(["brevo", null]);
    expect(planned([...names, "_BLOCKLISTED"])).toStartWith("The file says who left");
  });

  test.each([
    [["email", "name", "status", "attributes"]],
    [["Email Address", "LEID", "UNSUB_TIME"]],
    [["Email Address", "LEID", "CLEAN_TIME"]],
    [["Email", "First name", "Last name", "Data", "Status"]],
    [["email", "active_subscription", "email_disabled"]],
  ])("and a column that is filled in every row is: %j", (names) => {
    expect(planned(names)).toBe("");
  });
});

test("a file whose rows a spreadsheet made one cell each says so, and not that it lacks a column", () => {
  const refused = planColumns(["email,firstName,status"], { ...NO_OPTIONS, status: "PENDING" });
  expect(refused.ok ? "" : refused.refusal.message).toMatch(/^The first row is a single cell with all names/);
});
