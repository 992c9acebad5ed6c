import { describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { signNow } from "#mail/dkim/rsa-signature.ts";
import { fasterKey } from "#mail/dkim/threads/faster-key.ts";
import { systemKey, type KeyInUse } from "#mail/dkim/threads/system-openssl.ts";
import { KEY } from "../../support/sending/dkim.ts";

const { privateKey: key } = KEY;
/** Skipped where the system has none. */
const hasOpenSsl = ((tried) => {
  tried?.free();
  return tried !== null;
})(systemKey(key));

describe.skipIf(!hasOpenSsl)("the system's OpenSSL", () => {
  test.each([2048, 3072])(
    "makes the same signature as the runtime, with a key of %d bits",
    (modulusLength) => {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength });
      const system = systemKey(privateKey)!;
      for (const text of ["a", "from:Zoë <zoe@example.org>\r\n", "\0ÿ", "x".repeat(100_000)]) {
        const signature = system.sign(text);
        expect(signature).toBe(signNow(text, privateKey));
        const bytes = Buffer.from(signature, "base64");
        expect(verify("sha256", Buffer.from(text, "latin1"), createPublicKey(privateKey), bytes)).toBe(true);
      }
      system.free();
    },
  );

  test("signs with many keys at once, each its own, and what is freed does not disturb the others", () => {
    const pairs = [1, 2, 3].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
    const keys = pairs.map((pair) => systemKey(pair)!);
    keys[1]!.free();
    for (const index of [0, 2]) expect(keys[index]!.sign("text")).toBe(signNow("text", pairs[index]!));
    for (const index of [0, 2]) keys[index]!.free();
  });

  test("has no signature for a key that is not RSA: that is an error, not a wrong signature", () => {
    const system = systemKey(generateKeyPairSync("ed25519").privateKey);
    expect(() => system?.sign("text")).toThrow("OpenSSL did not sign.");
    system?.free();
  });
});

test("a system without it has no key of it", () => {
  expect(systemKey(key, "libcrypto-that-is-not-there.so.3")).toBeNull();
  // A library that is there, and another one.
  expect(systemKey(key, "libc.so.6")).toBeNull();
});

describe("which of the two signs", () => {
  /** A key of the system that signs in this way, and how often it was freed. */
  const pretended = (sign: KeyInUse["sign"]) => {
    let freed = 0;
    return { sign, free: () => void freed++, freed: () => freed };
  };

  test("the runtime, where the system has none", () => {
    expect(fasterKey(key, null).sign("text")).toBe(signNow("text", key));
  });

  test("the system's, if it is faster", () => {
    const signed = new Map(["a", "text\r\n".repeat(200)].map((text) => [text, signNow(text, key)]));
    const system = pretended((text) => signed.get(text) ?? "at once");
    expect(fasterKey(key, system).sign("any")).toBe("at once");
    expect(system.freed()).toBe(0);
  });

  test.each<[why: string, sign: KeyInUse["sign"]]>([
    ["makes another signature", () => "c2lnbmF0dXJl"],
    [
      "fails",
      () => {
        throw new Error("no");
      },
    ],
    ["is slower", (text) => Array.from({ length: 20 }, () => signNow(text, key))[0]!],
  ])("the runtime, if the system's %s", (_why, sign) => {
    const system = pretended(sign);
    expect(fasterKey(key, system).sign("text")).toBe(signNow("text", key));
    expect(system.freed()).toBe(1);
  });
});
