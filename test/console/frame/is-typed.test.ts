import { describe, expect, test } from "bun:test";
import { isTyped } from "#console/ui/parts/is-typed.ts";

describe("what must be typed before something is deleted or sent", () => {
  test.each([
    ["1180", "1,180"],
    ["1 180", "1\u{a0}180"],
    ["ada's list", "Ada’s  List"],
    ["Café", "Cafe\u0301"],
    ["Cafe\u0301", "Café"],
    ["Müller", "Mu\u0308\u{ad}ller\u200b"],
    ["...", "..."],
    ["...", "…"],
    [" '' ", "''"],
  ])("%j is %j", (typed, answer) => {
    expect(isTyped(typed, answer)).toBe(true);
  });

  test.each([
    ["", "Ada"],
    ["", "..."],
    ["..", "..."],
    ["'", "..."],
    ["", "\u200b"],
    ["Cafe", "Café"],
    ["118", "1,180"],
  ])("%j is not %j", (typed, answer) => {
    expect(isTyped(typed, answer)).toBe(false);
  });
});
