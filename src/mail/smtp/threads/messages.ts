/**
 * The messages between the main thread and a sender thread: as JSON, many at once, because a message to a thread
 * costs more than its contents. Mail itself is never sent in this way: it is in memory that both threads see.
 */
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { DotOutcome, SmtpFailure } from "#mail/smtp/session/smtp-outcome.ts";

/** To the thread: what to do with a session, which is named by its number. */
export type Order =
  | { readonly order: "open"; readonly session: number; readonly relay: RelayAddress }
  /** The message is the first `length` bytes of a piece of memory. */
  | {
      readonly order: "offer";
      readonly session: number;
      readonly from: string;
      readonly to: string;
      readonly memory: number;
      readonly length: number;
    }
  | { readonly order: "finish" | "close" | "destroy"; readonly session: number }
  /** A piece of memory is no longer used. */
  | { readonly order: "forget"; readonly memory: number };

/** A piece of memory that later orders name. It is sent before them, in a message of its own. */
export type Memory = { readonly memory: number; readonly bytes: SharedArrayBuffer };

/** The values of the session's getters. */
export type SessionState = {
  readonly usable: boolean;
  readonly served: number;
  readonly endedAfter: number | null;
};

/** How an order went, or that a session has ended by itself. */
export type News =
  | {
      readonly report: "opened";
      readonly failure: SmtpFailure | null;
      readonly encrypted: boolean;
      readonly loggedIn: boolean;
      readonly pipelines: boolean;
    }
  /** Null: the message is at its dot. */
  | { readonly report: "offered"; readonly failure: SmtpFailure | null }
  | { readonly report: "answered"; readonly outcome: DotOutcome }
  | { readonly report: "closed" | "ended" };

/** From the thread: news of a session, and its state now. */
export type Report = News & { readonly session: number; readonly state: SessionState };
