import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { fail, warn, type Finding } from "./finding.ts";

const BITS_MIN = 1024;
const BITS_WANTED = 2048;

/** The public half of the key mail is signed with, DER in base64, and what is wrong with the file. */
export function readSigningKey(file: string): { publicKey: string | null; findings: Finding[] } {
  const check = "DKIM key";
  const advice = "make one: openssl genrsa -out dkim.pem 2048, and set dkimPrivateKeyFile to it";
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType !== "rsa")
      return {
        publicKey: null,
        findings: [fail(check, `${file} is no RSA key, so mail goes out unsigned`, advice)],
      };
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64");
    if (bits < BITS_MIN)
      return { publicKey, findings: [fail(check, `${file} has only ${bits} bits`, advice)] };
    return {
      publicKey,
      findings: bits < BITS_WANTED ? [warn(check, `${file} has only ${bits} bits`, advice)] : [],
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { publicKey: null, findings: [fail(check, `${file} cannot be read as a key (${why})`, advice)] };
  }
}
