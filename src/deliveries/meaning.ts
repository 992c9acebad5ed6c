import type { StrikeKind } from "./strikes.ts";

/** Where in the conversation a reply came. CONNECT includes greeting, EHLO and STARTTLS; DOT is the reply to the whole message. */
export type Stage = "CONNECT" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "DOT";

/** `code` is 0 when the line was no SMTP reply; `text` is at most 512 characters, without codes and control characters. */
export type SmtpReply = { readonly code: number; readonly enhanced: string | null; readonly text: string };

/**
 * What a reply means. `sent`: the stage was passed (at DOT: the relay has the mail). `bounced`: the address is dead, suppress it.
 * `deferred`: this mail again later; its strike, if any, counts. `failed`: this mail never again; only its strike may lead to suppression.
 * `relay`: the relay's trouble or ours; the mail stays queued and the attempt does not count.
 */
export type Meaning =
  | { readonly kind: "sent" }
  | { readonly kind: "bounced"; readonly reason: string }
  | {
      readonly kind: "deferred";
      readonly reason: string;
      readonly minPauseMs: number;
      readonly strike: StrikeKind | null;
    }
  | { readonly kind: "failed"; readonly reason: string; readonly strike: StrikeKind | null }
  | {
      readonly kind: "relay";
      readonly trouble: "rate" | "config" | "block" | "down";
      readonly reason: string;
      readonly untilMidnight?: true;
    };
