import type { MovedTable } from "./table.ts";
import { AUTOMATIONS } from "./tables/automations.ts";
import { CONTACTS } from "./tables/contacts.ts";
import { COUNTS } from "./tables/counts.ts";
import { INSTALLATION } from "./tables/installation.ts";
import { LEDGER } from "./tables/ledger.ts";
import { MAIL } from "./tables/mail.ts";

/** In this order: the rows that a row refers to are written before it. */
export const MOVED: readonly MovedTable[] = [
  ...INSTALLATION,
  ...COUNTS,
  ...CONTACTS,
  ...LEDGER,
  ...MAIL,
  ...AUTOMATIONS,
];
