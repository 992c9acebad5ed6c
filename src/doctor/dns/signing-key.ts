import { checkRegularFile } from "#core/errors/regular-file.ts";
import { errorText } from "#core/errors/thrown.ts";
import { readFileSync, statSync } from "node:fs";
import { parseDkimKey } from "#mail/dkim/dkim-key.ts";
import { about, fail, type Finding } from "#doctor/finding.ts";

/** Reads the public half of the key that signs mail (DER in base64), and says what is wrong with the file. */
export function readSigningKey(file: string): { publicKey: string | null; findings: Finding[] } {
  const failed = (message: string) => ({
    publicKey: null,
    findings: [
      fail(
        about("dkim_key", "DKIM key"),
        `${file} ${message}, so nothing is sent`,
        "make one: postrider dkim create --selector NEW",
      ),
    ],
  });
  try {
    checkRegularFile(statSync(file));
    const key = parseDkimKey(readFileSync(file, "latin1"));
    return key.ok ? { publicKey: key.value.publicKey, findings: [] } : failed(key.refusal.message);
  } catch (error) {
    return failed(`cannot be read (${errorText(error)})`);
  }
}
