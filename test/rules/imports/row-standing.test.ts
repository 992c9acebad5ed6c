/** How several columns of a row say together how somebody stands (src/imports/rows/standing/row-standing.ts). */
import { describe, expect, test } from "bun:test";
import type { ContactStatus } from "#contacts/contact.ts";
import type { ImportColumns } from "#imports/rows/columns.ts";
import type { Standing } from "#imports/sources/source.ts";
import { rowParser } from "#imports/rows/import-row.ts";
import { standingReader } from "#imports/rows/standing/row-standing.ts";
import type { StandingColumn } from "#imports/rows/standing/standing-columns.ts";

const MEANT: Readonly<Record<string, Standing>> = {
  no: "notAgreed",
  stays: "default",
  asked: "PENDING",
  left: "UNSUBSCRIBED",
  spam: { suppress: "COMPLAINT" },
  dead: { suppress: "HARD_BOUNCE" },
  what: "unknown",
};

const column = (place: number, more: Partial<StandingColumn> = {}): StandingColumn => ({
  header: `column ${place}`,
  place,
  tool: null,
  isForAll: true,
  standingOf: (cell) => MEANT[cell] ?? null,
  ...more,
});

/** Of a row with two such columns, and then our own `status`. */
function read(
  cells: readonly string[],
  defaultStatus: ContactStatus | null = "SUBSCRIBED",
  more: Partial<StandingColumn> = {},
) {
  const columns: ImportColumns = {
    headers: ["column 0", "column 1", "status"],
    spelled: [],
    fields: [null, null, { kind: "status" }],
    types: {},
    source: null,
    standing: [column(0, more), column(1, more)],
    leaversHiddenBy: null,
    unknown: [],
  };
  const found = standingReader(columns, 2, defaultStatus)(cells);
  if (!found.ok) return found.refusal.message;
  const { status, suppress, hasAgreed } = found.value;
  return [status, suppress, hasAgreed];
}

describe("a no in one column", () => {
  test("makes nobody SUBSCRIBED, whatever else stands in the row, and a time of consent does not count", () => {
    for (const cells of [
      ["no", ""],
      ["", "no"],
      ["no", "stays"],
      ["no", "", "SUBSCRIBED"],
    ])
      expect([cells, read(cells)]).toEqual([cells, ["PENDING", null, false]]);
  });

  test("brings nobody back", () => {
    expect(read(["no", "left"])).toEqual(["UNSUBSCRIBED", null, false]);
    expect(read(["no", "spam"])).toEqual(["UNSUBSCRIBED", "COMPLAINT", false]);
    expect(read(["no", "", "BOUNCED"])).toEqual(["BOUNCED", null, false]);
  });
});

test("who was only asked is PENDING, and has not agreed", () => {
  expect(read(["asked", ""])).toEqual(["PENDING", null, false]);
});

test("who left, or is dead, counts as that before a column behind says otherwise", () => {
  expect(read(["left", "stays", "SUBSCRIBED"])).toEqual(["UNSUBSCRIBED", null, true]);
  expect(read(["dead", "stays", "SUBSCRIBED"])).toEqual(["BOUNCED", "HARD_BOUNCE", true]);
});

describe("a word that nobody knows", () => {
  const refused = expect.stringContaining('"what" is neither a yes nor a no');

  test("is passed over where another column says that they left", () => {
    expect(read(["what", "left"])).toEqual(["UNSUBSCRIBED", null, true]);
  });

  test("is refused otherwise, also where another column says that they stay, or our own does", () => {
    for (const cells of [
      ["what", ""],
      ["what", "stays"],
      ["what", "", "SUBSCRIBED"],
    ])
      expect([cells, read(cells)]).toEqual([cells, refused]);
  });
});

describe("a row that says nothing", () => {
  test("has the status of the options, and fails without one", () => {
    expect(read(["", ""], "PENDING")).toEqual(["PENDING", null, true]);
    expect(read(["", ""], null)).toBe("the row has no status: fill it in, or give one for the whole file");
  });

  test("fails where a column must be filled, unless there is a status of its own", () => {
    expect(read(["", ""], "SUBSCRIBED", { mustBeFilled: true })).toContain(
      "nobody knows whether this person left",
    );
    expect(read(["", "", "PENDING"], "SUBSCRIBED", { mustBeFilled: true })).toEqual(["PENDING", null, true]);
  });

  test("does not guess a status that is misspelt", () => {
    expect(read(["", "", "UNSUBSCRIBE"])).toContain('the status "UNSUBSCRIBE" is none of');
  });
});

describe("a row with a time of consent", () => {
  const rows = rowParser(
    {
      headers: ["email", "consent", "column 2"],
      spelled: [],
      fields: [{ kind: "email" }, { kind: "consentAt" }, null],
      types: {},
      source: null,
      standing: [column(2)],
      leaversHiddenBy: null,
      unknown: [],
    },
    "SUBSCRIBED",
    Date.UTC(2026, 10, 29),
  );

  test("proves nothing where another column says no", () => {
    const at = Date.UTC(2026, 0, 5);
    expect(rows(["ada@example.com", "2026-01-05", ""])).toMatchObject({ ok: true, value: { consentAt: at } });
    expect(rows(["ada@example.com", "2026-01-05", "no"])).toMatchObject({
      ok: true,
      value: { consentAt: null, status: "PENDING" },
    });
  });

  test("that is no time fails, but the opt-out of such a row is not lost", () => {
    expect(rows(["ada@example.com", "soon", ""]).ok).toBe(false);
    expect(rows(["ada@example.com", "soon", "left"])).toMatchObject({
      ok: true,
      value: { status: "UNSUBSCRIBED", consentAt: null, warning: expect.stringContaining("soon") },
    });
  });
});
