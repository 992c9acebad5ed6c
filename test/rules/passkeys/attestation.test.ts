/** What devices and password managers write of a new passkey, and what nobody should. */
import { describe, expect, test } from "bun:test";
import { readAttestation } from "#passkeys/authenticator-data.ts";
import { readCbor } from "#passkeys/cbor.ts";
import { keptKey, readCoseKey } from "#passkeys/public-key.ts";

/** Written by python-fido2: attested by the device itself (`packed`), with an extension, counter 7. */
const PACKED = Buffer.from(
  "a363666d74667061636b65646761747453746d74a263616c67266373696758483046022100c74ad7094451e0b460d45f767c8093f6" +
    "af3b5ee6a1a98b10907558a60e80085f022100d78d54d7558cc6e6712e037174b82b0613256645bfa55e5466cca03114a844376861" +
    "7574684461746158a25e495c3b0b65b7fc198ca9ca06460a33e5e90f91f81ea1a14d83161a3ad12465c50000000701010101010101" +
    "0101010101010101010010000102030405060708090a0b0c0d0e0fa5010203262001215820eaf69c9d19622778f404b641fc2d7532" +
    "e9e1894e35964d21ede2444804f8ca5a22582017d68fdc64ad330ecfba92b767c5d3618b75649f300b270e1db51ef42a576210a16b" +
    "6372656450726f7465637402",
  "hex",
);
/** Its key, as OpenSSL writes it. */
const SPKI =
  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE6vacnRliJ3j0BLZB_C11MunhiU41lk0h7eJESAT4yloX1o_cZK0zDs-6krdnxdNhi3VknzALJw4dtR70KldiEA";

/** The same with these bytes (in hexadecimal) in the place of those. */
const changed = (from: string, to: string): Buffer => {
  const hex = PACKED.toString("hex");
  expect(hex.split(from)).toHaveLength(2);
  return Buffer.from(hex.replace(from, to), "hex");
};

describe("an attestation", () => {
  test("of another program is read: the id, the counter and the key", () => {
    const made = readAttestation(PACKED)!;
    expect(made).toMatchObject({ credential: "AAECAwQFBgcICQoLDA0ODw", counter: 7, hasChecked: true });
    expect(Buffer.from(keptKey(made.key)).toString("base64url")).toBe(SPKI);
  });

  test("that is cut off anywhere is none, and one with any bit turned throws nothing", () => {
    for (let end = 0; end < PACKED.length; end++) expect(readAttestation(PACKED.subarray(0, end))).toBeNull();
    for (let bit = 0; bit < PACKED.length * 8; bit++) {
      const turned = Buffer.from(PACKED);
      turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      readAttestation(turned);
    }
  });

  test.each([
    ["an algorithm that was not offered", () => changed("0102032620", "0102032720")],
    ["a point that is on no curve", () => changed("215820ea", "215820eb")],
    ["an id without a length", () => changed("0100100001", "0100000001")],
    ["the flag of a copy that it says it cannot have", () => changed("d12465c5", "d12465d5")],
    ["more bytes than any device writes", () => Buffer.concat([PACKED, Buffer.alloc(64 * 1024)])],
  ])("with %s is refused", (_, attestation) => {
    expect(readAttestation(attestation())).toBeNull();
  });
});

describe("an RSA key", () => {
  const rsa = (modulusBytes: number, exponent: Buffer) =>
    readCoseKey(
      new Map<number, number | Buffer>([
        [1, 3],
        [3, -257],
        [-1, Buffer.alloc(modulusBytes, 0xff)],
        [-2, exponent],
      ]),
    );

  test("is taken as devices make them, and not so long that a signature is much work", () => {
    const usual = Buffer.from([1, 0, 1]);
    expect(rsa(256, usual)).not.toBeNull();
    expect(rsa(255, usual)).toBeNull();
    expect(rsa(25_000, usual)).toBeNull();
    expect(rsa(256, Buffer.alloc(250, 0xff))).toBeNull();
  });
});

describe("CBOR", () => {
  test.each([
    // RFC 8949, appendix A.
    ["17", 23],
    ["1818", 24],
    ["1903e8", 1000],
    ["1a000f4240", 1_000_000],
    ["1b000000e8d4a51000", 1_000_000_000_000],
    ["29", -10],
    ["3903e7", -1000],
    ["f4", false],
    ["f5", true],
    ["f6", null],
    ["4401020304", Buffer.from([1, 2, 3, 4])],
    ["62c3bc", "ü"],
    ["8301820203820405", [1, [2, 3], [4, 5]]],
    ["c11a514b67b0", 1_363_896_240],
    [
      "a26161016162820203",
      new Map<string, unknown>([
        ["a", 1],
        ["b", [2, 3]],
      ]),
    ],
  ])("%s is read", (hex, value) => {
    expect(readCbor(Buffer.from(hex, "hex"))).toEqual(value as never);
  });

  test.each([
    ["nothing", ""],
    ["a number that JavaScript cannot hold", "1bffffffffffffffff"],
    ["more bytes than there are", "5affffffff00"],
    ["more items than there are", "9affffffff00"],
    ["more members than there are", "baffffffff0000"],
    ["no length", "9fff"],
    ["a fraction", "f93c00"],
    ["too deep", "81".repeat(100_000)],
    ["too many tags", "c1".repeat(100_000)],
  ])("%s is not", (_, hex) => {
    expect(readCbor(Buffer.from(hex, "hex"))).toBeUndefined();
  });
});
