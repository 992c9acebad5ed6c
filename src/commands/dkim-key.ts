import { errorCode } from "#core/errors/error-code.ts";
import { withPath } from "#core/errors/naming.ts";
import { generateKeyPairSync } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { giveToOwnerOf, makePrivateDirectory, syncDirectoryOf } from "#app/database.ts";

/**
 * Creates an RSA-2048 key in a file that only its owner can read. The randomness is the operating system's.
 * @throws if the file exists
 */
export function makeKeyFile(file: string): void {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  makePrivateDirectory(dirname(file));
  const made = openNew(file);
  try {
    giveToOwnerOf(dirname(file), made);
    writeFileSync(made, privateKey.export({ type: "pkcs8", format: "pem" }));
    // The settings name this file from now on, so a power cut must leave neither it empty, nor its directory.
    fsyncSync(made);
    for (const path of [file, dirname(file)]) syncDirectoryOf(path);
  } catch (error) {
    // Half a key would be in the way of the next try.
    rmSync(file, { force: true });
    throw withPath(error, file);
  } finally {
    closeSync(made);
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    throw new Error(
      `there is a key in ${file} already, which is never overwritten: choose another --selector`,
      { cause: error },
    );
  }
}
