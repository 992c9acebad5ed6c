import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import type { DeliveryFilter, DeliveryRecord, ReasonCount } from "#deliveries/delivery-record.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { countOfReason, deliveryOf, reasonCounts } from "#storage/common/ledger/delivery-record.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session, Value as Given } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { contacts, deliveries, mailingReasons, mailingSkips } from "#storage/postgres/schema/schema.ts";
import { countsOf } from "./ledger-counts.ts";

type DeliveryRow = Row<
  typeof deliveries,
  "seq" | "address" | "state" | "reason" | "replyCode" | "replyEnhanced" | "replyText" | "attempts" | "detail"
> & { contactId: Value<typeof contacts, "id"> | null; sentAt: number | null };

const SKIPS = `SELECT reason, sum(n)::int8 AS n FROM mailing_skips WHERE mailing = $1 GROUP BY reason HAVING sum(n) > 0
  ORDER BY reason`;
const OTHERS = `SELECT state, reason, sum(n)::int8 AS n FROM mailing_reasons WHERE mailing = $1 GROUP BY state, reason
  HAVING sum(n) > 0 ORDER BY state, reason`;
const SHOWN = `SELECT d.seq, c.id AS contact_id, d.address, d.state, d.reason, d.reply_code, d.reply_enhanced, d.reply_text,
    d.attempts, d.detail, CASE WHEN d.state = 'sent' OR d.bounced_at IS NOT NULL THEN d.settled_at END AS sent_at
  FROM deliveries AS d LEFT JOIN contacts AS c ON c.seq = d.contact WHERE d.mailing = $1 AND d.seq < $2`;
const NEWEST = "ORDER BY d.seq DESC LIMIT $3";

/** These have their own table, because few messages end in them. */
const RARE_ENDS: readonly DeliveryState[] = ["bounced", "failed", "uncertain", "skipped"];

type Range = readonly [mailing: number, before: number, rows: number];

/** The rows of a mailing for people, and the reasons for their states. */
export function deliveryReads({ read }: PostgresDatabase): Pick<LedgerStore, "deliveries" | "reasons"> {
  return {
    reasons: (mailing) => read((session) => reasonsOf(session, mailing)),
    deliveries: (mailing, filter, page) => read((session) => deliveriesPage(session, mailing, filter, page)),
  };
}

async function reasonsOf({ rows }: Session, mailing: number): Promise<ReasonCount[]> {
  const [skips, others] = await Promise.all([
    rows<Row<typeof mailingSkips, "reason" | "n">>(SKIPS, [mailing]),
    rows<Row<typeof mailingReasons, "state" | "reason" | "n">>(OTHERS, [mailing]),
  ]);
  return reasonCounts(skips, others);
}

/** Newest first. */
async function deliveriesPage(
  session: Session,
  mailing: number,
  { state, email, reason }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRecord>> {
  const range = [mailing, page.before ?? Number.MAX_SAFE_INTEGER, page.limit + 1] as const;
  const shape = { position: (row: DeliveryRow) => row.seq, item: deliveryOf };
  if (email !== null) {
    // A campaign sends one message to an address.
    const rows = await shown(session, range, "AND d.address = $4", [email]);
    const wanted = rows.filter(
      (row) => (state === null || row.state === state) && (reason === null || row.reason === reason),
    );
    return pageOf(wanted, wanted.length, page.limit, shape);
  }
  const rows = await rowsOf(session, range, state, reason);
  if (reason !== null) {
    const total = countOfReason(await reasonsOf(session, mailing), reason, state);
    return pageOf(rows, total, page.limit, shape);
  }
  const counts = await countsOf(session, mailing);
  return pageOf(rows, state === null ? counts.planned : counts[state], page.limit, shape);
}

function rowsOf(
  session: Session,
  range: Range,
  state: DeliveryState | null,
  reason: string | null,
): Promise<DeliveryRow[]> {
  const isRare = state !== null && RARE_ENDS.includes(state);
  if (isRare)
    return shown(
      session,
      range,
      `AND d.state = $4 AND d.seq IN (SELECT message FROM delivery_ends WHERE mailing = $1 AND state = $4
        AND ($5::text IS NULL OR reason = $5) AND message < $2 ORDER BY message DESC LIMIT $3)`,
      [state, reason],
    );
  return shown(
    session,
    range,
    "AND ($4::text IS NULL OR d.state = $4) AND ($5::text IS NULL OR d.reason = $5)",
    [state, reason],
  );
}

const shown = (
  { rows }: Session,
  range: Range,
  condition: string,
  values: readonly Given[],
): Promise<DeliveryRow[]> => rows(`${SHOWN} ${condition} ${NEWEST}`, [...range, ...values]);
