import { describe, expect, test } from "bun:test";
import { confirmTokenOf, readConfirmToken, readMessageId, readToken, tokensOf } from "#deliveries/token.ts";
import { earlierToken, PURPOSES } from "../../support/sending/earlier-tokens.ts";

const SECRET = Buffer.alloc(32, 5);
const MESSAGES = [0, 1, 255, 256, 4_711, 2 ** 32, 2 ** 40 + 3, 2 ** 48 - 1];

describe("a token", () => {
  test.each(MESSAGES)(
    "of message %d has 22 characters and says its message, for its purpose alone",
    (message) => {
      const tokens = tokensOf(SECRET, message);
      for (const purpose of PURPOSES) {
        expect(tokens[purpose]).toMatch(/^[A-Za-z0-9_-]{22}$/);
        for (const other of PURPOSES)
          expect(readToken(SECRET, other, tokens[purpose])).toBe(other === purpose ? message : null);
        expect(readConfirmToken(SECRET, tokens[purpose])).toBeNull();
        expect(readMessageId(SECRET, tokens[purpose])).toBeNull();
        expect(readToken(Buffer.alloc(32, 6), purpose, tokens[purpose])).toBeNull();
      }
    },
  );

  test.each(MESSAGES)("that an earlier version gave message %d works as it did", (message) => {
    for (const purpose of PURPOSES) {
      const token = earlierToken(SECRET, purpose, message);
      expect(token).toHaveLength(32);
      for (const other of PURPOSES)
        expect(readToken(SECRET, other, token)).toBe(other === purpose ? message : null);
    }
  });

  test("with one character changed, in whatever place and to whatever, is nobody's", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .";
    for (const token of [tokensOf(SECRET, 4_711).click, earlierToken(SECRET, "click", 4_711)])
      for (let at = 0; at < token.length; at++)
        for (const character of alphabet) {
          if (character === token[at]) continue;
          const changed = token.slice(0, at) + character + token.slice(at + 1);
          expect([changed, readToken(SECRET, "click", changed)]).toEqual([changed, null]);
        }
  });

  test("of another length is nobody's", () => {
    const { open } = tokensOf(SECRET, 1);
    for (const other of [
      "",
      open.slice(1),
      open.slice(0, -1),
      `${open}A`,
      `${open}==`,
      open + open,
      "A".repeat(32),
    ])
      expect(readToken(SECRET, "open", other)).toBeNull();
  });

  test("of a confirmation mail keeps its length", () => {
    const token = confirmTokenOf(SECRET, 7);
    expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(readConfirmToken(SECRET, token)).toBe(7);
    for (const purpose of PURPOSES) expect(readToken(SECRET, purpose, token)).toBeNull();
  });
});
