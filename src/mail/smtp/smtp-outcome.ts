import type { Message } from "./wire-body.ts";
import type { SmtpReply, Stage } from "#core/smtp-reply.ts";

/**
 * Why a connection or a message got no further. Nothing was delivered. `reply` is null when the relay said nothing: lost, timed out, refused.
 * `detail` is for the log and holds no email address.
 */
export type SmtpFailure = {
  readonly stage: Stage;
  readonly reply: SmtpReply | null;
  readonly detail: string;
};

/**
 * How the dot ended: answered, whatever the code; `lost`: it was written and nobody knows whether the relay took the message;
 * `unsent`: the connection was gone before it was written, so the relay must have discarded the message (RFC 5321 4.1.1.10).
 */
export type DotOutcome =
  | { readonly reply: SmtpReply }
  | { readonly lost: string }
  | { readonly unsent: SmtpFailure };

/**
 * A message of which the relay has everything but the dot. `finish` writes it: call it only after the intent is recorded durably.
 * Asked again it gives the same outcome. To abort instead, `destroy` the session.
 */
type AtTheDot = { readonly ok: true; finish(): Promise<DotOutcome> };

/** Plain ASCII addresses, as they stand in MAIL and RCPT. An empty `from` is the null reverse-path. */
export type Envelope = { readonly from: string; readonly to: string };

export type Offer = AtTheDot | { readonly ok: false; readonly failure: SmtpFailure };

/**
 * One connection to a relay: one message after the other, one recipient each, and nothing is ever tried again in here.
 *
 *     new -> opening -> idle -> envelope -> body -> held -> dot -> idle
 *
 * A refusal in the envelope leads back to idle (by RSET), a refusal of the dot too, unless it is a 421. Everything else (a drop, a time-out,
 * a reply nobody asked for, `destroy`) leads to over from anywhere: the socket is cut without QUIT and never used again.
 */
export interface SmtpSession {
  /** Connects, greets, secures, authenticates; once. Null when the session stands. */
  open(): Promise<SmtpFailure | null>;
  /**
   * MAIL, RCPT, DATA and the message, but not the dot. Bare CR and LF become CRLF, and a missing last CRLF is added.
   * The bytes must not be changed until the dot is answered. Rejects only when it is called before the last message ended.
   */
  offer(envelope: Envelope, message: Message): Promise<Offer>;
  /**
   * Whether the relay takes commands without answering each (RFC 2920). Then the next message may be offered while the last
   * one's dot waits for its reply: they go out together, and the offer is answered after the dot.
   */
  readonly pipelines: boolean;
  /** False before `open`, and once the connection was closed by either side, stands inside DATA after an abort, or failed. */
  readonly usable: boolean;
  /** Whether the connection is encrypted, from the first byte or since STARTTLS. */
  readonly encrypted: boolean;
  /** Whether the relay took our login; false also where it announced none. */
  readonly loggedIn: boolean;
  /** Messages that came to an end on it: answered at their dot, or refused before. */
  readonly served: number;
  /** After how many messages the relay ended it by itself, between two of them; null while it stands, or where it ended otherwise. */
  readonly endedAfter: number | null;
  /** QUIT when idle, otherwise `destroy`. Resolves when the relay has let go of it, or `quitMs` have passed. */
  close(): Promise<void>;
  /** Cuts the socket at once. Inside DATA the relay must then discard the message. */
  destroy(): void;
}
