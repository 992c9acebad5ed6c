/** The code that runs in a signature thread: it signs one batch of texts after the other. */
import { createPrivateKey } from "node:crypto";
import { present } from "#core/present.ts";
import { fasterKey } from "./faster-key.ts";
import { NO_MORE, type Batch, type NewKey } from "./messages.ts";
import type { KeyInUse } from "./system-openssl.ts";

export function runSignatureThread(thread: Worker): void {
  const keys = new Map<number, KeyInUse>();
  thread.addEventListener("message", ({ data }: MessageEvent<string | NewKey | typeof NO_MORE>) => {
    if (data === NO_MORE) return endThread(keys);
    if (typeof data !== "string") return void keys.set(data.key, fasterKey(createPrivateKey(data.pem)));
    const batch = JSON.parse(data) as Batch;
    const signatures = batch.map(([key, text]) => present(keys.get(key), "key to sign with").sign(text));
    thread.postMessage(JSON.stringify(signatures), []);
  });
}

function endThread(keys: ReadonlyMap<number, KeyInUse>): void {
  for (const key of keys.values()) key.free();
  // In a thread, this ends only the thread.
  process.exit(0);
}
