/** A signature thread that breaks on purpose: a text with one of these words in a batch says how. */
import { runSignatureThread } from "#mail/dkim/threads/run-signature-thread.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (typeof data !== "string") return;
  if (data.includes("exit-the-thread")) process.exit(1);
  if (data.includes("throw-in-the-thread")) throw new Error("broken on purpose");
  if (data.includes("hang-the-thread")) for (;;);
});
runSignatureThread(self);
