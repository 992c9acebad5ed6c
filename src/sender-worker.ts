/**
 * The entry of a thread: see mail/smtp/threads/run-sender-thread.ts. It stands next to main.ts because the
 * compiled executable finds it only there.
 */
import { runSenderThread } from "#mail/smtp/threads/run-sender-thread.ts";

declare const self: Worker;

runSenderThread(self);
