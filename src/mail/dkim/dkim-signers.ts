import { readFile, stat } from "node:fs/promises";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { checkRegularFile } from "#core/errors/regular-file.ts";
import { errorText } from "#core/errors/thrown.ts";
import { dkimSigner, type SignMessage } from "./dkim.ts";
import { parseDkimKey, type DkimKey } from "./dkim-key.ts";
import { signInPool, type SignText } from "./rsa-signature.ts";

export type DkimFile = { readonly domain: string; readonly selector: string; readonly keyFile: string };

type Kept = {
  readonly mtimeMs: number;
  readonly key: Result<DkimKey>;
  /** By domain and selector. */
  readonly signers: Map<string, SignMessage>;
};

/**
 * Signers from key files. Each time a signer is asked for, the file is checked, and read again if it changed. While
 * nothing changes, the same signer is given.
 * A file that cannot be used is refused, never skipped: mail must not go out unsigned because a file is
 * missing.
 */
export function dkimSigners(
  signText: SignText = signInPool,
): (wanted: DkimFile) => Promise<Result<SignMessage>> {
  const kept = new Map<string, Kept>();
  const keptOf = async (file: string): Promise<Kept> => {
    const found = await stat(file);
    checkRegularFile(found);
    const { mtimeMs } = found;
    const known = kept.get(file);
    if (known?.mtimeMs === mtimeMs) return known;
    const read = { mtimeMs, key: parseDkimKey(await readFile(file, "latin1")), signers: new Map() };
    kept.set(file, read);
    return read;
  };
  return async ({ domain, selector, keyFile }) => {
    try {
      const { key, signers } = await keptOf(keyFile);
      if (!key.ok) return invalid(`The DKIM key ${keyFile} ${key.refusal.message}.`);
      const name = `${selector}._domainkey.${domain}`;
      const signer =
        signers.get(name) ?? dkimSigner({ domain, selector, privateKey: key.value.privateKey }, signText);
      signers.set(name, signer);
      return accept(signer);
    } catch (error) {
      const why = errorText(error);
      return invalid(`The DKIM key ${keyFile} cannot be read (${why}).`);
    }
  };
}
