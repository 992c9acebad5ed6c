/**
 * Signatures by the system's OpenSSL, if it has one: on processors with AVX-512 it makes them in half the
 * time that the runtime's own library takes (docs/performance.md "What it is spent on"). RSA with PKCS #1
 * v1.5 has no random part, so both make the same signature.
 */
import { dlopen, ptr } from "bun:ffi";
import type { KeyObject } from "node:crypto";

/** Signs with one key. It has memory outside the heap until `free`, after which it must not be used. */
export type KeyInUse = { sign(text: string): string; free(): void };

/** Of OpenSSL 3. */
const LIBRARY = "libcrypto.so.3";

/** `OPENSSL_INIT_NO_LOAD_CONFIG`: what the system's administrator set for other programs is not read. `NO_ATEXIT`. */
const INIT = 0x80n | 0x80000n;

const open = (library: string) =>
  dlopen(library, {
    OPENSSL_init_crypto: { args: ["u64", "ptr"], returns: "i32" },
    d2i_AutoPrivateKey: { args: ["ptr", "ptr", "i64"], returns: "ptr" },
    EVP_PKEY_free: { args: ["ptr"], returns: "void" },
    EVP_sha256: { args: [], returns: "ptr" },
    EVP_MD_CTX_new: { args: [], returns: "ptr" },
    EVP_MD_CTX_free: { args: ["ptr"], returns: "void" },
    EVP_DigestSignInit: { args: ["ptr", "ptr", "ptr", "ptr", "ptr"], returns: "i32" },
    EVP_DigestSign: { args: ["ptr", "ptr", "ptr", "ptr", "u64"], returns: "i32" },
  }).symbols;

type OpenSsl = ReturnType<typeof open>;
type LoadedKey = NonNullable<ReturnType<OpenSsl["d2i_AutoPrivateKey"]>>;

/** Null: there is no such library here, or it cannot use the key. */
export function systemKey(key: KeyObject, library = LIBRARY): KeyInUse | null {
  try {
    const openSsl = open(library);
    if (openSsl.OPENSSL_init_crypto(INIT, null) !== 1) return null;
    const loaded = load(openSsl, key);
    return loaded === null
      ? null
      : inUse(openSsl, loaded, (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  } catch {
    return null;
  }
}

function load(openSsl: OpenSsl, key: KeyObject): LoadedKey | null {
  const der = key.export({ type: "pkcs8", format: "der" });
  const at = new BigUint64Array([BigInt(ptr(der))]);
  const loaded = openSsl.d2i_AutoPrivateKey(null, at, der.length);
  // Only `at` leads to these bytes: they are still needed up to here.
  der.fill(0);
  return loaded;
}

function inUse(openSsl: OpenSsl, key: LoadedKey, bytes: number): KeyInUse {
  const signature = Buffer.alloc(bytes);
  const length = new BigUint64Array(1);
  const digest = openSsl.EVP_sha256();
  return {
    sign(text) {
      const context = openSsl.EVP_MD_CTX_new();
      try {
        const signed = Buffer.from(text, "latin1");
        length[0] = BigInt(bytes);
        const isDone =
          openSsl.EVP_DigestSignInit(context, null, digest, null, key) === 1 &&
          openSsl.EVP_DigestSign(context, signature, length, signed, signed.length) === 1;
        if (!isDone || length[0] !== BigInt(bytes)) throw new Error("OpenSSL did not sign.");
        return signature.toString("base64");
      } finally {
        openSsl.EVP_MD_CTX_free(context);
      }
    },
    free: () => openSsl.EVP_PKEY_free(key),
  };
}
