/** Certificates that sign themselves: nobody trusts them who was not told to. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type ServerCertificate = { readonly cert: string; readonly key: string };

const FIXTURES = join(import.meta.dir, "../../fixtures");

/** Where the certificate of a test server lies: `localhost` is for this machine, `hook` for hook.example.com. */
export const certificateFile = (name: "localhost" | "hook"): string =>
  join(FIXTURES, `${name}-certificate.pem`);

export const certificateOf = (name: "localhost" | "hook"): ServerCertificate => ({
  cert: readFileSync(certificateFile(name), "utf8"),
  key: readFileSync(join(FIXTURES, `${name}-key.pem`), "utf8"),
});
