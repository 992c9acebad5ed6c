import { describe, expect, test } from "bun:test";
import type { ImportPreview } from "../../src/console/ui/api/api.gen.ts";
import {
  choicesFor,
  hasStatus,
  messagesAsCsv,
  newPlan,
  optionsOf,
  planProblems,
  withField,
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

  test("says what stands in its way", () => {
    const plan = { ...newPlan(preview({ a: "firstName", b: "firstName" })), status: "PENDING" } as const;
    expect(planProblems(plan)).toEqual([{ code: "noEmail" }, { code: "twice", field: "firstName" }]);
    const without = withField(withField(plan, "b", null), "a", "email");
    expect(planProblems(without)).toEqual([]);
    const withStatus = withField(newPlan(preview({ a: "email", b: null })), "b", "status");
    expect(planProblems(withStatus)).toEqual([]);
  });

  test("does not begin where the first row is a person, who would be lost", () => {
    const file = preview({ "ada@example.com": "email", Ada: "firstName" });
    expect(planProblems({ ...newPlan(file), status: "SUBSCRIBED" })).toEqual([{ code: "noHeader" }]);
    const named = preview({ "E-Mail @ work": "email", "a@b": null });
    expect(planProblems({ ...newPlan(named), status: "SUBSCRIBED" })).toEqual([]);
  });

  test("offers fields, an attribute of the header, and those in use, each once", () => {
    const plan = newPlan(preview({ "Lieblings-Farbe": null, City: "attributes.city", "2nd": null }));
    expect(choicesFor(plan, "Lieblings-Farbe", []).slice(-1)).toEqual(["attributes.Lieblings_Farbe"]);
    expect(choicesFor(plan, "City", ["city", "plan"]).slice(7)).toEqual([
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
