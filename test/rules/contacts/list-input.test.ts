import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { listChangeBody, newListBody } from "#lists/schema.ts";
import { expectRefused, readAs } from "../../support/server/body.ts";
import { missingIds, missingIdsMessage, parseListContent, parseMembers } from "#lists/list-input.ts";

const readMembers = (body: Record<string, unknown>) => unwrap(parseMembers(body));
const readNew = readAs(newListBody, parseListContent);
const readChange = readAs(listChangeBody, parseListContent);
const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `id-${i + 1}`);

describe("a list's name", () => {
  test("is trimmed and kept as it is otherwise", () => {
    for (const read of [readNew, readChange])
      expect(unwrap<unknown>(read({ name: "  Friends of Ada 👩‍💻 " }))).toEqual({ name: "Friends of Ada 👩‍💻" });
  });

  test.each([[undefined], [null], [""], [" \t\n"], ["\0"], [7], [[]], [{}]])(
    "is required: %p is refused",
    (name) => {
      for (const read of [readNew, readChange]) expectRefused(read({ name }), "name");
    },
  );
});

describe("the members to add", () => {
  test.each([
    ["contactId alone", { contactId: "ada" }, ["ada"]],
    ["contactIds alone", { contactIds: ["ada", "grace"] }, ["ada", "grace"]],
    ["contactIds before contactId", { contactId: "linus", contactIds: ["ada"] }, ["ada"]],
    [
      "contactIds without its non-strings",
      { contactIds: [7, "ada", null, {}, ["grace"], "grace"] },
      ["ada", "grace"],
    ],
    ["contactId where contactIds is empty", { contactId: "linus", contactIds: [] }, ["linus"]],
    ["contactId where contactIds has no string", { contactId: "linus", contactIds: [7, null] }, ["linus"]],
    ["contactId where contactIds is no array", { contactId: "linus", contactIds: "ada" }, ["linus"]],
    ["repeated ids, still repeated", { contactIds: ["ada", "ada"] }, ["ada", "ada"]],
  ])("are %s", (_, body, members) => {
    expect(readMembers(body)).toEqual(members);
  });

  test.each([
    [{}],
    [{ contactId: null }],
    [{ contactId: "" }],
    [{ contactId: 7 }],
    [{ contactId: ["ada"] }],
    [{ contactIds: [] }],
    [{ contactIds: [7, null] }],
    [{ contactIds: "ada" }],
    [{ contactIds: { 0: "ada", length: 1 } }],
  ])("are required: %j is refused", (body) => {
    expectRefused(parseMembers(body), "contactId");
  });

  test("50,000 ids in one call work", () => {
    expect(readMembers({ contactIds: Array.from({ length: 50_000 }, (_, i) => `c${i}`) })).toHaveLength(
      50_000,
    );
  });
});

describe("the ids that are missing", () => {
  const known = new Set(["ada", "grace", "linus"]);

  test.each([
    ["none of known ones", ["linus", "ada"], []],
    ["the unknown ones in the order of the request", ["x", "ada", "w"], ["x", "w"]],
    ["a repeated id among them, though it is known", ["ada", "x", "ada"], ["x", "ada"]],
    ["each named once", ["x", "x", "x", "ada", "ada", "ada"], ["x", "ada"]],
  ])("are %s", (_, requested, missing) => {
    expect(missingIds(requested, known)).toEqual(missing);
  });
});

describe("the message about missing ids", () => {
  const named = (count: number): string[] => missingIdsMessage(ids(count)).match(/id-\d+/g) ?? [];

  test.each([1, 2, 20])("names all of %d", (count) => {
    expect(named(count)).toEqual(ids(count));
    expect(missingIdsMessage(ids(count))).not.toContain("more");
  });

  test.each([
    [21, "and 1 more"],
    [50_000, "and 49980 more"],
  ])("names the first 20 of %d and says %s", (count, rest) => {
    expect(named(count)).toEqual(ids(20));
    expect(missingIdsMessage(ids(count))).toContain(rest);
  });
});
