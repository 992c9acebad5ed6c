/** How a report came to us; kept with it. */
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
export type Way = (typeof WAYS)[number];

/** A mail that came in. */
export type IncomingMail = {
  /** Its bytes; only the first 1 MiB is read. */
  readonly raw: Uint8Array;
  readonly way: "smtp" | "mailbox";
  /** RCPT TO. Empty for a mailbox: then the mail's own fields say where it was delivered to. */
  readonly envelopeRecipients: readonly string[];
  /** Whose mailbox it is; null for mail over SMTP, where only tokens say it. */
  readonly workspaceId: string | null;
};

/** An event of a provider, as its hook tells it. */
export type ProviderReport = {
  /**
   * `failed`: status and diagnostic are judged, as in a delivery report. With the others the provider has judged.
   */
  readonly kind:
    | "failed"
    | "hard"
    | "soft"
    | "policy"
    | "complaint"
    | "unsubscribe"
    | "delayed"
    | "delivered";
  /** Our Message-ID as it stood in the mail; null where the provider does not tell it. */
  readonly messageId: string | null;
  /** Looked at only where there is no Message-ID: it fits if exactly one message of the workspace went there. */
  readonly recipient: string | null;
  /** Enhanced status such as `5.1.1`; "" for none. */
  readonly status: string;
  /** The words about it; "" for none. */
  readonly diagnostic: string;
};

/**
 * What became of it:
 *
 *   applied    something was written
 *   known      the same was there already
 *   unmatched  understood, and it fits no message of ours, or asks for nothing
 *   kept       Postrider cannot read it: kept for a person
 *   ordinary   of a mailbox only: no report, a person's mail. It is not kept here, so leave it where it is
 */
export type Taken = "applied" | "known" | "unmatched" | "kept" | "ordinary";
