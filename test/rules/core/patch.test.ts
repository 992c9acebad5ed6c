import { expect, test } from "bun:test";
import { absent, applyPatch, clear, set } from "#core/request/patch.ts";

test("a field keeps its value when the patch is silent, empties when cleared, and takes what is set", () => {
  expect(applyPatch("Ada", absent, "")).toBe("Ada");
  expect(applyPatch("Ada", clear, "")).toBe("");
  expect(applyPatch("Ada", set("Grace"), "")).toBe("Grace");
});

test("setting an empty value is setting, and clearing gives exactly what the field calls empty", () => {
  const none: string | null = null;
  expect(applyPatch<string | null>("list", set(""), none)).toBe("");
  expect(applyPatch<string | null>("list", clear, none)).toBeNull();
  expect(applyPatch<number | undefined>(1, set(undefined), 0)).toBeUndefined();
});
