/** Wiring: where the conversations with relays are held. */
import type { NewSession } from "#mail/smtp/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/smtp-session.ts";
import { senderThreads } from "#mail/smtp/threads/sender-threads.ts";
import { startSenderThread } from "#threads.ts";
import type { World } from "./world.ts";

export type SessionOptions = {
  /** How many threads hold them (`SENDER_THREADS`). With 0, or unless given, the main thread does. */
  readonly senderThreads?: number;
  /** Starts a thread; the server's own unless given. */
  readonly startSenderThread?: () => Worker;
};

export function openSessions({ clock, log }: World, options: SessionOptions): NewSession {
  const { senderThreads: most = 0, startSenderThread: startThread = startSenderThread } = options;
  return most > 0 ? senderThreads(most, { startThread, clock, log }) : (relay) => smtpSession(relay, clock);
}
