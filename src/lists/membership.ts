import type { ContactStatus } from "#contacts/contact.ts";

/** Who can join a list: nobody who opted out or bounced (docs/contract.md "Lists", rule 4). */
export const JOINING_STATUSES: readonly ContactStatus[] = ["PENDING", "SUBSCRIBED"];
