/** Names that other services use for filters of bounces, and what to do instead (see `http/foreign-names.ts`). */
const OF_A_PERSON = "this list has mails that could not be read; a person's bounces are in their timeline";

export const FOREIGN_BOUNCE_FILTERS = {
  email: OF_A_PERSON,
  recipient: OF_A_PERSON,
  contactId: OF_A_PERSON,
  campaignId: "this list has mails that could not be read; a campaign's bounces are in its deliveries",
  type: "this list has no filters",
  source: "this list has no filters",
  q: "this list has no filters",
} as const;
