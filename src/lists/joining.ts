import type { ContactStatus } from "#contacts/contact.ts";

/** Who can join a list. People who opted out or bounced cannot (docs/contract.md "Lists", rule 4). */
export const JOINING_STATUSES: readonly ContactStatus[] = ["PENDING", "SUBSCRIBED"];
