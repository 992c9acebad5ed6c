import type { Instant } from "#core/time/clock.ts";
import type { MailCondition } from "#segments/rule.ts";
import type { StatementValues } from "./statement-values.ts";
import { withinSql } from "./value-sql.ts";

/** The time of each event of a message (alias `d`); null if it did not happen. */
const AT = {
  received: "CASE WHEN d.state = 'sent' OR d.bounced_at IS NOT NULL THEN d.settled_at END",
  opened: "d.opened_at",
  clicked: "d.clicked_at",
} as const;

/** Who received, opened or clicked, as a select of contacts. @param mailings as SQL: which ones count */
export function mailContacts(
  { on, withinDays }: MailCondition,
  mailings: string,
  now: Instant,
  values: StatementValues,
): string {
  const happened =
    withinDays === null ? `${AT[on]} IS NOT NULL` : withinSql(`(${AT[on]})`, withinDays, now, values);
  return `SELECT d.contact FROM deliveries AS d WHERE d.mailing ${mailings} AND d.contact IS NOT NULL AND ${happened}`;
}
