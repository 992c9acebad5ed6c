import { sign, type KeyObject } from "node:crypto";

/** The signature of an ASCII text by RSA with SHA-256, in base64. The same text always gets the same signature. */
export type SignText = (text: string, key: KeyObject) => Promise<string>;

const ALGORITHM = "RSA-SHA256";

/** Signs in the runtime's thread pool, off the event loop. The pool also flushes the database. */
export const signInPool: SignText = (text, key) =>
  new Promise((resolve, reject) => {
    sign(ALGORITHM, Buffer.from(text, "latin1"), key, (error, signature) =>
      error ? reject(error) : resolve(signature.toString("base64")),
    );
  });

/** Signs at once. That takes about a millisecond, so never call it on the main thread's event loop. */
export const signNow = (text: string, key: KeyObject): string =>
  sign(ALGORITHM, Buffer.from(text, "latin1"), key).toString("base64");
