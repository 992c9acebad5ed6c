import { expect, test } from "bun:test";
import { comparablePassword, parseNewPassword } from "#users/password.ts";
import { costMs } from "../../support/common/cpu-time.ts";

test("a password is compared in one spelling, up to the longest that can be chosen", () => {
  expect(comparablePassword("Cafe\u0301 \ufb01n")).toBe("Café fin");
  const longest = "😀🎉🌍☕".repeat(250);
  expect(parseNewPassword(longest, "ada@example.com")).toEqual({ ok: true, value: longest });
  expect(comparablePassword(longest)).toBe(longest);
});

test("a text longer than any password is not the password it begins with", () => {
  const longest = "abcdefghi 😀".slice(0, -2).concat("😀".repeat(990));
  expect(comparablePassword(`${longest}.`)).not.toBe(comparablePassword(longest));
  expect(comparablePassword(`${longest}${".".repeat(5_000)}`)).not.toBe(comparablePassword(longest));
});

test("a text longer than any password, of nothing but marks, is compared in time", async () => {
  const typed = `a${"\u0315".repeat(12_000)}${"\u0300".repeat(12_000)}`;
  expect(await costMs(() => comparablePassword(typed))).toBeLessThan(400);
});
