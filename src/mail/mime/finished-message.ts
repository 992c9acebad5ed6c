import type { Ascii } from "./ascii.ts";

/**
 * A message that passed `checkMessage`, ready to be signed and sent.
 *
 * Its memory may be used again. `release` says that nobody reads `bytes` any more; a later message may then
 * be written into them. Only `mail/` calls it, in the places that are the last reader: the signer, which
 * made a signed copy (`mail/dkim/dkim.ts`); the session, when the relay has answered yes to the dot
 * (`mail/smtp/smtp-session.ts`); and a session in a thread, which has a copy
 * (`mail/smtp/threads/thread-session.ts`). After any other end, bytes may still be on their way to the socket, so
 * the memory is left to the garbage collector.
 */
export type FinishedMessage = { readonly bytes: Ascii; readonly release?: () => void };
