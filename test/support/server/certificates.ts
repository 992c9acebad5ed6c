/** Self-signed certificates: only clients that were told to trust them do. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type ServerCertificate = { readonly cert: string; readonly key: string };

const FIXTURES = join(import.meta.dir, "../../fixtures");

/** The path of a test server's certificate: `localhost` is for this machine, `hook` for hook.example.com. */
export const certificateFile = (name: "localhost" | "hook"): string =>
  join(FIXTURES, `${name}-certificate.pem`);

export const certificateOf = (name: "localhost" | "hook"): ServerCertificate => ({
  cert: readFileSync(certificateFile(name), "utf8"),
  key: readFileSync(join(FIXTURES, `${name}-key.pem`), "utf8"),
});
