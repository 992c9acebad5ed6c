/**
 * The entry of a thread: see mail/dkim/threads/run-signature-thread.ts. It stands next to main.ts because the
 * compiled executable finds it only there.
 */
import { runSignatureThread } from "#mail/dkim/threads/run-signature-thread.ts";

declare const self: Worker;

runSignatureThread(self);
