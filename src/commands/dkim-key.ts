import { errorCode } from "#core/errors/error-code.ts";
import { generateKeyPairSync } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates an RSA-2048 key in a file that only its owner can read. The randomness is the operating system's.
 * @throws if the file exists
 */
export function makeKeyFile(file: string): void {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const made = openSync(file, "wx", 0o600);
    writeSync(made, privateKey.export({ type: "pkcs8", format: "pem" }));
    // The settings name this file from now on, so a power cut must not leave it empty.
    fsyncSync(made);
    closeSync(made);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    throw new Error(
      `there is a key in ${file} already, which is never overwritten: choose another --selector`,
      { cause: error },
    );
  }
}
