import { expect, test } from "bun:test";
import { isLoopback } from "#core/addresses/loopback.ts";

test.each([
  ["localhost", true],
  ["mail.localhost", true],
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["127.0.0.1.example.com", false],
  ["127.1", false],
  ["localhost.example.com", false],
  ["10.0.0.1", false],
  ["::2", false],
  ["::ffff:10.0.0.1", false],
  ["", false],
])("%s means this machine and no other: %p", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
