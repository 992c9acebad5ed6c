import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { Message } from "./wire-body.ts";
import type { SmtpReply, Stage } from "#core/smtp-reply.ts";

/**
 * Why a connection or a message failed. Nothing was delivered. `reply` is null when the relay sent none: lost,
 * timed out, connection refused. `detail` is for the log and holds no email address. `isOurs`: something on our
 * side failed, such as a thread. That says nothing about the relay or the message.
 */
export type SmtpFailure = {
  readonly stage: Stage;
  readonly reply: SmtpReply | null;
  readonly detail: string;
  readonly isOurs?: true;
};

/**
 * How the dot ended. Answered: with any code. `lost`: the dot was written, and nobody knows whether the relay has
 * the message. `unsent`: the connection was gone before the dot was written, so the relay must have discarded the
 * message (RFC 5321 4.1.1.10).
 */
export type DotOutcome =
  | { readonly reply: SmtpReply }
  | { readonly lost: string; readonly isOurs?: true }
  | { readonly unsent: SmtpFailure };

/**
 * The relay has the whole message except the dot. `finish` writes the dot: call it only after the intent is
 * durably recorded. A second call gives the same outcome. To abort instead, `destroy` the session.
 */
type AtTheDot = { readonly ok: true; finish(): Promise<DotOutcome> };

/** Plain ASCII addresses, as in MAIL and RCPT. An empty `from` is the null reverse-path. */
export type Envelope = { readonly from: string; readonly to: string };

export type Offer = AtTheDot | { readonly ok: false; readonly failure: SmtpFailure };

/**
 * One connection to a relay. It sends one message after the other, each to one recipient, and never retries
 * anything itself.
 *
 *     new -> opening -> idle -> envelope -> body -> held -> dot -> idle
 *
 * A refusal in the envelope leads back to idle (by RSET). So does a refusal of the dot, unless it is a 421.
 * Everything else (a drop, a time-out, a reply to no command, `destroy`) leads from any state to over: the
 * socket is cut without QUIT and never used again.
 */
export interface SmtpSession {
  /** Connects, greets, secures and logs in. Call it once. Null when the session is ready. */
  open(): Promise<SmtpFailure | null>;
  /**
   * Sends MAIL, RCPT, DATA and the message, but not the dot. Bare CR and LF become CRLF, and a missing last
   * CRLF is added. Do not change the bytes until the dot is answered. A message with `release` is released
   * when the relay has accepted it. Rejects only when it is called before the last message ended.
   */
  offer(envelope: Envelope, message: Message): Promise<Offer>;
  /**
   * Whether the relay accepts several commands before it answers (RFC 2920). Then the next message may be offered
   * while the last dot still waits for its reply: they are sent together, and the offer is answered after the dot.
   */
  readonly pipelines: boolean;
  /**
   * False before `open`, and after the connection was closed by either side, was aborted inside DATA, or
   * failed.
   */
  readonly usable: boolean;
  /** Whether the connection is encrypted, from the first byte or after STARTTLS. */
  readonly encrypted: boolean;
  /** Whether the relay accepted our login; also false if it announced no AUTH. */
  readonly loggedIn: boolean;
  /** Messages that this connection has finished: answered at their dot, or refused before it. */
  readonly served: number;
  /**
   * After how many messages the relay itself ended the connection, between two messages. Null while it is open, or
   * if it ended in another way.
   */
  readonly endedAfter: number | null;
  /**
   * QUIT when idle, otherwise `destroy`. Resolves when the relay has closed the connection, or after
   * `quitMs`.
   */
  close(): Promise<void>;
  /** Cuts the socket at once. Inside DATA the relay must then discard the message. */
  destroy(): void;
}

/** Makes a session with a relay, not connected yet. Sessions run on the main thread, or in threads of their own. */
export type NewSession = (relay: RelayAddress) => SmtpSession;
