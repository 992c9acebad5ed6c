import { countRows, rowsWithReasons } from "#console/ui/screens/imports/file-rows.ts";
import { csvRows } from "#imports/csv/csv-rows.ts";
import { isPerson as isPersonThere } from "#imports/rows/plan-columns.ts";
import { SOURCES } from "#imports/sources/sources.ts";
import { readHead } from "#imports/file-reading.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { describe, expect, test } from "bun:test";
import type { ImportPreview } from "../../../src/console/ui/api/api.gen.ts";
import {
  choicesFor,
  hasStatus,
  hasWhoLeft,
  isPerson,
  leftThere,
  mayBringBack,
  messagesAsCsv,
  newPlan,
  optionsOf,
  planProblems,
  typeOf,
  typesFor,
  withField,
  withType,
  type ImportPlan,
} from "#console/ui/screens/imports/plan.ts";

const preview = (
  suggested: Record<string, string | null>,
  source: ImportPreview["source"] = null,
): ImportPreview => ({
  source,
  delimiter: ",",
  encoding: "utf-8",
  columns: Object.entries(suggested).map(([header, each]) => ({ header, samples: [], suggested: each })),
});

describe("a plan for an import", () => {
  test("begins with what the server suggests, and misses only how people agreed", () => {
    const plan = newPlan(preview({ Mail: "email", City: "attributes.city" }));
    expect(planProblems(plan)).toEqual([{ code: "agreedChoose" }]);
    const agreed = { ...plan, status: "SUBSCRIBED" } as const;
    expect(planProblems(agreed)).toEqual([]);
    expect(optionsOf(agreed)).toEqual({
      mapping: { Mail: "email", City: "attributes.city" },
      status: "SUBSCRIBED",
      existing: "update",
      startAutomations: false,
    });
  });

  test("keeps the values of attributes as the server suggests, or as somebody chose, and has no type for other columns", () => {
    const found = preview({
      email: "email",
      Umsatz: "attributes.Umsatz",
      Tel: "attributes.Tel",
      Name: "name",
    });
    const types = { Umsatz: "number-comma", Tel: "number", Name: "number" } as const;
    const columns = found.columns.map((column) => ({
      ...column,
      ...(column.header in types ? { type: types[column.header as keyof typeof types] } : {}),
    }));
    const plan = newPlan({ ...found, columns });
    expect(["email", "Umsatz", "Name"].map((header) => typeOf(plan, header))).toEqual([
      null,
      "number-comma",
      null,
    ]);
    expect(optionsOf(withType(plan, "Tel", "text")).types).toEqual({ Umsatz: "number-comma" });
    expect(optionsOf(withField(plan, "Umsatz", null)).types).toEqual({ Tel: "number" });
    expect(optionsOf(newPlan({ ...found, columns, source: "brevo" })).types).toEqual({
      Umsatz: "number-comma",
      Tel: "number",
    });
    expect(optionsOf(newPlan(found))).not.toHaveProperty("types");
  });

  test("says of a time of consent in which order day and month stand, and offers no other types for it", () => {
    const plan = newPlan({ ...preview({ Seit: "consentAt" }), source: null });
    expect(optionsOf(plan).types).toEqual({ Seit: "date" });
    expect(optionsOf(withType(plan, "Seit", "date-mdy")).types).toEqual({ Seit: "date-mdy" });
    expect(typesFor(plan, "Seit", ["text", "number", "date", "date-dmy"])).toEqual(["date", "date-dmy"]);
    expect(typesFor(withField(plan, "Seit", "tags"), "Seit", ["text", "date"])).toEqual([]);
  });

  test("of a tool's file takes it as the tool means it, until somebody decides about a column", () => {
    const plan = newPlan(preview({ email: "email", attributes: null }, "listmonk"));
    expect([hasStatus(plan), planProblems(plan)]).toEqual([true, []]);
    expect(optionsOf(plan)).toEqual({
      unknownColumns: "attributes",
      existing: "update",
      startAutomations: false,
    });
    const own = withField(plan, "attributes", "attributes.all");
    expect(hasStatus(own)).toBe(false);
    expect(optionsOf(own).mapping).toEqual({ email: "email", attributes: "attributes.all" });
  });

  test("knows whether a tool's file says who left there, also with columns that somebody chose", () => {
    const listmonk = newPlan(preview({ email: "email", status: null }, "listmonk"));
    const keila = newPlan(preview({ Email: "email", Status: null }, "keila"));
    for (const change of [
      (plan: ImportPlan) => plan,
      (plan: ImportPlan) => withField(plan, "name", "name"),
    ]) {
      expect(leftThere(change(listmonk))).toEqual({ tool: "listmonk", is: "hidden" });
      expect(leftThere(change(keila))).toEqual({ tool: "keila", is: "told" });
      expect(mayBringBack(change(listmonk))).toBe("listmonk");
      expect(mayBringBack(change({ ...listmonk, status: "UNSUBSCRIBED" }))).toBeNull();
      expect(mayBringBack(change(keila))).toBeNull();
    }
    expect(leftThere(newPlan(preview({}, "postrider")))).toBeNull();
  });

  test("knows the same columns for who left as the server does", () => {
    const headers =
      `anything status Status UNSUB_TIME CLEAN_TIME EMAIL_BLACKLISTED _BLOCKLISTED _SUBSCRIBED subscribed blocklisted emailBlacklisted SMS_BLACKLISTED
       email_disabled EMAIL_DISABLED`.split(/\s+/);
    for (const { name, standing, hidesLeavers } of SOURCES) {
      // A preview does not name the others.
      if (name === "postrider" || name === null) continue;
      const saysWhoLeft = standing.filter((rule) => rule.saysWhoAgreed !== true);
      const known = headers.filter((header) => saysWhoLeft.some((rule) => rule.header.test(header)));
      expect([name, known]).not.toEqual([name, []]);
      const told = headers.filter(
        (header) => leftThere(newPlan(preview({ [header]: null }, name)))?.is === "told",
      );
      expect([name, told]).toEqual([name, hidesLeavers === true ? [] : known]);
    }
  });

  test("says what stands in its way", () => {
    const plan = { ...newPlan(preview({ a: "firstName", b: "firstName" })), status: "PENDING" } as const;
    expect(planProblems(plan)).toEqual([{ code: "noEmail" }, { code: "twice", field: "firstName" }]);
    const without = withField(withField(plan, "b", null), "a", "email");
    expect(planProblems(without)).toEqual([]);
    const withStatus = withField(newPlan(preview({ a: "email", b: null })), "b", "status");
    expect(planProblems(withStatus)).toEqual([]);
  });

  test("lets several columns say who left, and each is sent to the server as that", () => {
    const columns = { a: "email", b: "unsubscribed", c: "unsubscribed", d: "bounced" };
    const plan = { ...newPlan(preview(columns)), status: "SUBSCRIBED" } as const;
    expect([planProblems(plan), hasWhoLeft(plan), optionsOf(plan).mapping]).toEqual([[], true, columns]);
    const others = ["b", "c", "d"].reduce<ImportPlan>((each, name) => withField(each, name, null), plan);
    expect(hasWhoLeft(others)).toBe(false);
  });

  test("does not begin where a title stands above the names of the columns", () => {
    const columns = (...headers: string[]) =>
      headers.map((header) => ({ header, samples: ["something"], suggested: null }));
    const titled = { ...preview({}), columns: columns("Customers, November", "", "", "") };
    const plan = { ...newPlan(titled), status: "SUBSCRIBED" } as const;
    expect(planProblems(plan)).toEqual([{ code: "titleRow" }]);
    expect(planProblems(withField(plan, "", "email"))).toEqual([{ code: "titleRow" }]);
    // The title stands above the addresses: the first of them is the name of their column.
    const [title, second] = columns("Customers", "");
    const above = {
      ...preview({}),
      columns: [{ ...title!, samples: ["email", "ada@example.com"] }, second!],
    };
    const chosen = withField({ ...newPlan(above), status: "SUBSCRIBED" }, "Customers", "email");
    expect(planProblems(chosen)).toEqual([{ code: "titleRow" }]);
    // What has no name and holds nothing is of no account, nor is one unnamed column, nor several beside named ones.
    const [mail, ...others] = columns("Mail", "", "");
    const plain = { ...preview({}), columns: [{ ...mail!, samples: ["ada@example.com"] }, ...others] };
    expect(planProblems({ ...withField(newPlan(plain), "Mail", "email"), status: "PENDING" })).toEqual([]);
    const one = { ...preview({}), columns: columns("", "Mail") };
    expect(planProblems({ ...newPlan(one), status: "PENDING" })).toEqual([{ code: "noEmail" }]);
  });

  test("does not begin where the first row is a person, who would be lost", () => {
    const file = preview({ "ada@example.com": "email", Ada: "firstName" });
    expect(planProblems({ ...newPlan(file), status: "SUBSCRIBED" })).toEqual([{ code: "noHeader" }]);
    const named = preview({ "E-Mail @ work": "email", "a@b": null });
    expect(planProblems({ ...newPlan(named), status: "SUBSCRIBED" })).toEqual([]);
  });

  test("knows a person in the first row as the server does", () => {
    const people = ["ada@example.com", "ada@b.example", `${"a".repeat(308)}@example.com`];
    const columns = [
      "email",
      "a@b",
      "E-Mail @ work",
      "@b.example",
      "a@@b.c",
      `${"a".repeat(309)}@example.com`,
    ];
    const known = [...people, ...columns].map((header) => [header, isPerson(header), isPersonThere(header)]);
    expect(known).toEqual([
      ...people.map((header) => [header, true, true]),
      ...columns.map((header) => [header, false, false]),
    ]);
  });

  test("offers fields, an attribute of the header, and those in use, each once", () => {
    const plan = newPlan(preview({ "Lieblings-Farbe": null, City: "attributes.city", "2nd": null }));
    expect(choicesFor(plan, "Lieblings-Farbe", []).slice(-1)).toEqual(["attributes.Lieblings_Farbe"]);
    expect(choicesFor(plan, "City", ["city", "plan"]).slice(15)).toEqual([
      "attributes.city",
      "attributes.plan",
    ]);
    expect(choicesFor(plan, "2nd", []).slice(-1)).toEqual(["attributes.a_2nd"]);
  });
});

test("messages become a file in which nothing runs", () => {
  const rows = [
    { line: 2, message: 'not "right", really' },
    { line: 3, message: "=cmd()" },
  ];
  expect(messagesAsCsv(["Line", "What"], rows)).toBe(
    '"Line","What"\r\n2,"not ""right"", really"\r\n3,"\'=cmd()"\r\n',
  );
});

const blob = (text: string): Blob => new Blob([text]);
const FORMAT = { encoding: "utf-8", delimiter: ";" } as const;

test("rows of a file are counted as the server reads them: over quotes, blank lines and any end of a line", async () => {
  const { signal } = new AbortController();
  const files = [
    "sep=;\nemail;name\na@x.example;A\n\n;;\nb@x.example;B\n",
    'email;name\r\na@x.example;"A\r\n""B"";\r\nC"\r\nb@x.example;5" wide\r\n',
    "email;name\ra@x.example;A\rb@x.example;B",
  ];
  for (const file of files) {
    expect(await countRows(blob(file), FORMAT, signal)).toBe(2);
    const head = await readHead(
      async function* () {
        yield Buffer.from(file);
      },
      { ...NO_OPTIONS, delimiter: ";" },
    );
    if (!head.ok) throw new Error(head.refusal.message);
    const { format, headerLines } = head.value;
    const read = csvRows(
      (async function* () {
        yield Buffer.from(file);
      })(),
      format,
      headerLines,
    );
    const full = (await Array.fromAsync(read)).filter((row) => "cells" in row && row.cells.some(Boolean));
    expect(full.length).toBe(2);
  }
});

test("the rows that failed are as they were, behind what is said of them; of another file there are none", async () => {
  const file = blob('email;name\na@x.example;A\nnobody;"N\nN"\n=x;"open\nlast;one\n');
  const told = new Map([
    [3, '=no "address"'],
    [5, "never closed"],
  ]);
  expect(await rowsWithReasons(file, FORMAT, "Why", told)).toBe(
    [
      '"Why";email;name',
      `"'=no ""address""";nobody;"N\nN"`,
      `"never closed";"'=x;""open\nlast;one\n"`,
      "",
    ].join("\r\n"),
  );
  expect(await rowsWithReasons(file, FORMAT, "Why", new Map([[4, "inside another row"]]))).toBeNull();
});
