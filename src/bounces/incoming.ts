/** How a report came to us; stored with it. */
export const WAYS = [
  "smtp",
  "mailbox",
  "ses",
  "postmark",
  "mailgun",
  "sendgrid",
  "brevo",
  "mailjet",
  "sparkpost",
  "resend",
] as const;
export type ReportWay = (typeof WAYS)[number];

/** A mail that came in. */
export type IncomingMail = {
  /** The mail's bytes; only the first 1 MiB is read. */
  readonly raw: Uint8Array;
  readonly way: "smtp" | "mailbox";
  /** The addresses of RCPT TO. Empty for a mailbox: then the mail's own fields say where it was delivered. */
  readonly envelopeRecipients: readonly string[];
  /** The workspaces whose mailbox it is; null for mail over SMTP, where only tokens name the workspace. */
  readonly workspaceIds: readonly string[] | null;
};

/** An event of a mail provider, as its hook received it. */
export type ProviderReport = {
  /** `failed`: status and diagnostic are judged, as in a delivery report. The others were judged by the provider. */
  readonly kind:
    | "failed"
    | "hard"
    | "soft"
    | "policy"
    | "complaint"
    | "unsubscribe"
    | "delayed"
    | "delivered";
  /** Our Message-ID as it was in the mail; null if the provider does not return it. */
  readonly messageId: string | null;
  /** Used only if there is no Message-ID: it matches if exactly one message of the workspace went to this address. */
  readonly recipient: string | null;
  /** Enhanced status such as `5.1.1`; "" if there is none. */
  readonly status: string;
  /** The server's words; "" if there are none. */
  readonly diagnostic: string;
};

/**
 * What became of it:
 *
 *   applied    something was written
 *   known      it was written before
 *   unmatched  understood, but it fits no message of ours, or asks for nothing
 *   kept       Postrider cannot read it: kept for a person
 *   elsewhere  only from a mailbox: it is about a message of a workspace that has another one. Maybe both are the same,
 *              so leave it as it is: that workspace's reader takes it
 *   ordinary   only from a mailbox: no report, but a person's mail. It is not kept here, so leave it where it is
 */
export type Taken = "applied" | "known" | "unmatched" | "kept" | "elsewhere" | "ordinary";

const WEIGHTS: readonly Taken[] = ["applied", "kept", "known", "elsewhere", "unmatched", "ordinary"];

/** What became of a mail of which several things became. */
export const weightiest = (taken: readonly Taken[]): Taken =>
  WEIGHTS.find((outcome) => taken.includes(outcome)) ?? "unmatched";
