import { describe, expect, test } from "bun:test";
import { readReturnAddress, returnLocalPart } from "#deliveries/return-address.ts";
import { messageIdOf, readMessageId, tokensOf } from "#deliveries/token.ts";

const SECRET = new Uint8Array(32).fill(7);
const OTHER = new Uint8Array(32).fill(8);
const NUMBERS = [0, 1, 31, 32, 4_711, 2 ** 32, 2 ** 47];

describe("an address that reports and opt-outs come to", () => {
  test.each(NUMBERS)("says which message it is: %d", (message) => {
    for (const purpose of ["bounce", "unsubscribe"] as const) {
      const localPart = returnLocalPart(SECRET, purpose, message);
      expect(localPart).toMatch(/^[bu]-[a-z2-7]{39}$/);
      for (const address of [localPart, `${localPart}@x.example`, `${localPart.toUpperCase()}@X.EXAMPLE`])
        expect(readReturnAddress(SECRET, address)).toEqual({ purpose, message });
    }
  });

  test("has one spelling: any other character makes it nobody's", () => {
    const address = returnLocalPart(SECRET, "bounce", 4_711);
    for (let at = 0; at < address.length; at++) {
      for (const character of "ab234567zu-") {
        const changed = address.slice(0, at) + character + address.slice(at + 1);
        if (changed !== address) expect(readReturnAddress(SECRET, changed)).toBeNull();
      }
    }
  });

  test("cannot be made with another secret, nor used for another purpose", () => {
    expect(readReturnAddress(SECRET, returnLocalPart(OTHER, "bounce", 1))).toBeNull();
    expect(readReturnAddress(SECRET, returnLocalPart(SECRET, "bounce", 1).replace("b-", "u-"))).toBeNull();
  });

  test.each(["", "@", "b-", "b-@x", `b-${"7".repeat(39)}`, `b-${"a".repeat(10_000)}@x`, "ada@example.com"])(
    "%p is none",
    (text) => expect(readReturnAddress(SECRET, text)).toBeNull(),
  );
});

describe("a Message-ID", () => {
  test.each(NUMBERS)("says which message it is: %d", (message) => {
    const { messageId } = tokensOf(SECRET, message);
    expect(messageId).toMatch(/^[0-9a-f]{32}$/);
    expect(messageIdOf(SECRET, message)).toBe(messageId);
    for (const text of [
      messageId,
      `<${messageId}@shop.example>`,
      ` <${messageId.toUpperCase()}@SHOP.example> `,
    ])
      expect(readMessageId(SECRET, text)).toBe(message);
  });

  test("of somebody else is none of ours", () => {
    expect(readMessageId(SECRET, tokensOf(OTHER, 1).messageId)).toBeNull();
    for (const text of ["", "<>", "<1@example.com>", `<${"0".repeat(32)}@x>`, "a".repeat(100_000)])
      expect(readMessageId(SECRET, text)).toBeNull();
  });
});
