/** The purpose of a mail. It decides the mail's lane and how long it is retried. */
export type MailKind = "campaign" | "automation" | "transactional" | "confirmation";
