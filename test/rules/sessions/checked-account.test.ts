/** Whether an account still is the one that was checked (src/sessions/checked-account.ts). */
import { expect, test } from "bun:test";
import { isUnchanged } from "#sessions/checked-account.ts";

const ACCOUNT = { id: "usr_1", passwordHash: "hash", totpSecret: "secret", totpStep: 7 };

test("an account is unchanged if nothing of it is other", () => {
  expect(isUnchanged({ ...ACCOUNT }, ACCOUNT)).toBe(true);
});

test.each([
  ["of another person with the address", { id: "usr_2" }],
  ["with another password", { passwordHash: "other" }],
  ["whose password was reset", { passwordHash: null }],
  ["with a new authenticator", { totpSecret: "other" }],
  ["whose code was used meanwhile", { totpStep: 8 }],
])("an account %s is another", (_what, change) => {
  expect(isUnchanged({ ...ACCOUNT, ...change }, ACCOUNT)).toBe(false);
});
