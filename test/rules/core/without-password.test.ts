import { expect, test } from "bun:test";
import { withoutPassword } from "#core/text/without-password.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const ADA = { user: "ada", pass: 'corr"ect$& horse' };

test.each([
  ["as it is", ADA.pass],
  ["in quotes of IMAP", 'corr\\"ect$& horse'],
  ["for AUTH PLAIN", base64(`\0ada\0${ADA.pass}`)],
  ["for AUTH PLAIN in the name of the user", base64(`ada\0ada\0${ADA.pass}`)],
  ["for AUTH LOGIN", base64(ADA.pass)],
])("a password is not in the words of a server that repeats it %s", (_, sent) => {
  expect(withoutPassword(`unknown: ${sent}; ${sent}.`, ADA)).toBe("unknown: ***; ***.");
});

test("words without the password stay as they are, also where it is a letter of them", () => {
  const words = "Wrong user or password for ada";
  expect([withoutPassword(words, ADA), withoutPassword(words, { user: "ada", pass: "o" })]).toEqual([
    words,
    words,
  ]);
});
