/** Wiring: where the conversations with relays are held, and where mail is signed. */
import { availableParallelism } from "node:os";
import { signatureThreads, type Signatures } from "#mail/dkim/threads/signature-threads.ts";
import type { NewSession } from "#mail/smtp/session/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { senderThreads } from "#mail/smtp/threads/sender-threads.ts";
import { startSenderThread, startSignatureThread } from "#threads.ts";
import { SHORTEST_NS, askForShortSlices } from "#system/short-slices.ts";
import type { World } from "./world.ts";

export type SessionOptions = {
  /** How many threads hold the conversations (`SENDER_THREADS`). With 0, or if not given, the main thread does. */
  readonly senderThreads?: number;
  /** Starts a thread; the server's own unless given. */
  readonly startSenderThread?: () => Worker;
};

/** While one message is signed, the main thread handles about three. More signing threads would only wait for it. */
const SIGNATURE_THREADS_MAX = 4;

type Sessions = { readonly newSession: NewSession; readonly signatures: Signatures };

export function openSessions({ clock, log }: World, options: SessionOptions): Sessions {
  const { senderThreads: most = 0, startSenderThread: startThread = startSenderThread } = options;
  const signing = Math.min(availableParallelism(), SIGNATURE_THREADS_MAX);
  const hold: NewSession =
    most > 0 ? senderThreads(most, { startThread, clock, log }) : (relay) => smtpSession(relay, clock);
  return {
    newSession: withShortSlices(hold),
    signatures: signatureThreads(signing, { startThread: startSignatureThread, clock, log }),
  };
}

/** Asks for short slices with the first conversation: asking takes memory that a server without mail can spare. */
function withShortSlices(hold: NewSession): NewSession {
  let asked: Promise<void> | null = null;
  return (relay) => {
    asked ??= askForShortSlices(SHORTEST_NS);
    return hold(relay);
  };
}
