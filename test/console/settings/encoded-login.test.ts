import { expect, test } from "bun:test";
import { withEncodedLogin } from "#console/ui/screens/settings/parts/encoded-login.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";

const loginsOf = (typed: string) => {
  const parsed = parseRelayUrls(withEncodedLogin(typed));
  return parsed.ok
    ? parsed.value.map(({ auth, host }) => [auth?.user, auth?.pass, host])
    : parsed.refusal.message;
};

test.each([
  ["signs with a meaning in a URL", "a#b/c?d@e:f"],
  ["a percent sign that encodes nothing", "f%g"],
  ["a percent sign that encodes no character", "a%deb"],
  ["spaces, as app passwords are shown", "abcd efgh ijkl mnop"],
  ["signs beyond 16 bits", "pass🗝️wort"],
])("a password reaches the relay as it was given: %s", (_, password) => {
  expect(loginsOf(`smtps://ada@example.com:${password}@smtp.example.com:465`)).toEqual([
    ["ada@example.com", password, "smtp.example.com"],
  ]);
  expect(
    loginsOf(`smtp://a:${password}@one.example.com  smtps://b:${password}@two.example.com/?requireTLS=true`),
  ).toEqual([
    ["a", password, "one.example.com"],
    ["b", password, "two.example.com"],
  ]);
});

test.each([
  "smtp://u:%41%23%40@smtp.example.com",
  "smtps://u:***@one.example.com:465 smtps://v:***@two.example.com",
  "smtp://localhost:25",
  "imaps://u:p@imap.example.com/Bounces@example.com",
  "imaps://u:p@localhost:1430/Bounces@example.com",
  "",
])("what is right already stays: %s", (address) => {
  expect(withEncodedLogin(address)).toBe(address);
});

test("a mailbox keeps its folder, also one with an @, and its password has all its signs", () => {
  const parsed = parseMailboxUrl(
    withEncodedLogin("imaps://ada@example.com:p@s/s wo#rd@imap.example.com/Bounces@x"),
  );
  expect(parsed).toMatchObject({
    value: { user: "ada@example.com", pass: "p@s/s wo#rd", host: "imap.example.com", folder: "Bounces@x" },
  });
});
