import { describe, expect, test } from "bun:test";
import { withoutPasswords, withStoredPasswords } from "#workspaces/url-passwords.ts";

const STORED =
  "smtps://ada:love%40lace@mail.example.com:465 imaps://box:s3:cret@in.example.org/INBOX smtp://open.example.com";
const SHOWN =
  "smtps://ada:***@mail.example.com:465 imaps://box:***@in.example.org/INBOX smtp://open.example.com";

test("passwords of every scheme are shown as ***, and back where they belong", () => {
  expect(withoutPasswords(STORED)).toBe(SHOWN);
  expect(withStoredPasswords(SHOWN, STORED)).toEqual({ ok: true, value: STORED });
  expect(withStoredPasswords(STORED, "")).toEqual({ ok: true, value: STORED });
});

test("in another order, beside others, with other options, and under a host in capitals", () => {
  const given = "smtp://new:pw@third.example.com SMTPS://ada:***@Mail.Example.com:465?maxConnections=3";
  expect(withStoredPasswords(given, STORED)).toEqual({
    ok: true,
    value: "smtp://new:pw@third.example.com SMTPS://ada:love%40lace@Mail.Example.com:465?maxConnections=3",
  });
});

test("what is written out stays, also a password that is *** in percent-encoding", () => {
  const given = "smtps://ada:%2A%2A%2A@mail.example.com:465";
  expect(withStoredPasswords(given, STORED)).toEqual({ ok: true, value: given });
});

describe("a stored password goes nowhere else", () => {
  test.each([
    "smtps://ada:***@evil.example.org:465",
    "smtps://ada:***@mail.example.com",
    "smtps://ada:***@mail.example.com:587",
    "smtp://ada:***@mail.example.com:465",
    "smtps://Ada:***@mail.example.com:465",
    "smtps://box:***@mail.example.com:465",
    "imaps://ada:***@in.example.org",
    "smtps://ada:***@mail.example.com:465.evil.example.org",
  ])("%s", (given) => {
    const refused = withStoredPasswords(given, STORED);
    expect(refused).toMatchObject({ ok: false, refusal: { code: "VALIDATION_ERROR" } });
    expect(JSON.stringify(refused)).not.toMatch(/lace|s3/);
  });
});
