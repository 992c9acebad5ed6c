/** The code that runs in a signature thread: it signs one batch of texts after the other. */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { present } from "#core/present.ts";
import { signNow } from "#mail/dkim/rsa-signature.ts";

/** A key for later batches, which name it by its number. */
export type NewKey = { readonly key: number; readonly pem: string };

/** Texts to sign, each with the number of its key. Sent as JSON; the signatures come back as JSON in the same order. */
export type Batch = readonly (readonly [key: number, text: string])[];

export function runSignatureThread(thread: Worker): void {
  const keys = new Map<number, KeyObject>();
  thread.addEventListener("message", ({ data }: MessageEvent<string | NewKey>) => {
    if (typeof data !== "string") return void keys.set(data.key, createPrivateKey(data.pem));
    const batch = JSON.parse(data) as Batch;
    const signatures = batch.map(([key, text]) => signNow(text, present(keys.get(key), "key to sign with")));
    thread.postMessage(JSON.stringify(signatures), []);
  });
}
