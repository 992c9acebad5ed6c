/** A key to sign with, and a verifier that is not ours. */
import { generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify";
import { unwrap } from "#core/errors/errors.ts";
import { parseDkimKey } from "#mail/dkim/dkim-key.ts";
import { dkimRecord } from "#workspaces/signing.ts";

export const pemOf = (bits: number): string =>
  generateKeyPairSync("rsa", { modulusLength: bits }).privateKey.export({ type: "pkcs8", format: "pem" });

export const PEM = pemOf(2048);
export const KEY = unwrap(parseDkimKey(PEM));

/** `RESULT domain` of each signature of a message, as the receiver sees it who finds this key in the DNS. */
export async function verdictsOn(
  message: string,
  domain: string,
  selector: string,
  publicKey = KEY.publicKey,
): Promise<string[]> {
  const { name, value } = dkimRecord(domain, selector, publicKey);
  const resolver = async (asked: string, type: string): Promise<string[][]> => {
    if (asked === name && type === "TXT") return [value.match(/.{1,255}/g)!];
    throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  };
  const { results } = await dkimVerify(Buffer.from(message, "latin1"), { resolver });
  return results.map(({ status, signingDomain }) => `${status.result} ${signingDomain ?? ""}`.trim());
}
