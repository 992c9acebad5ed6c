import type { Urgency } from "#mail/smtp/relay/urgency.ts";

/** The purpose of a mail. It decides how urgent the mail is and how long it is retried. */
export type MailKind = "campaign" | "automation" | "transactional" | "confirmation";

export const urgencyOf: Readonly<Record<MailKind, Urgency>> = {
  campaign: "bulk",
  automation: "bulk",
  confirmation: "prompt",
  transactional: "awaited",
};
