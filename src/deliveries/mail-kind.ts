/** What a mail is for; decides its lane and how long it is retried. */
export type MailKind = "campaign" | "automation" | "transactional" | "confirmation";
