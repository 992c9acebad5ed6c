import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
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
const COLUMNS = `SELECT d.seq, c.id AS contact_id, d.address, d.state, d.reason, d.reply_code, d.reply_enhanced, d.reply_text,
    d.attempts, d.detail, CASE WHEN d.state = 'sent' OR d.bounced_at IS NOT NULL THEN d.settled_at END AS sent_at
  FROM deliveries AS d LEFT JOIN contacts AS c ON c.seq = d.contact`;
const SHOWN = `${COLUMNS} WHERE d.mailing = $1 AND d.seq < $2`;
const NEWEST = "ORDER BY d.seq DESC LIMIT $3";

/** These have their own table, because few messages end in them. */
const RARE_ENDS: readonly DeliveryState[] = ["bounced", "failed", "uncertain", "skipped"];

/**
 * Those with a reason, in these states: the ends have an index by reason, and an open message has a reason only
 * while it waits for its next attempt. It does not say that they are of the mailing, so that nobody walks that.
 */
export const FOR_REASON = `${COLUMNS} WHERE d.state = ANY($5::text[]) AND d.reason = $4 AND d.seq = ANY(ARRAY(
    SELECT e.message FROM unnest($5::text[]) AS s (state) CROSS JOIN LATERAL (SELECT message FROM delivery_ends
      WHERE mailing = $1 AND reason = $4 AND state = s.state AND message < $2 ORDER BY message DESC LIMIT $3) AS e
    UNION ALL
    (SELECT r.message FROM retries AS r JOIN deliveries AS w ON w.seq = r.message
      WHERE r.mailing = $1 AND r.message < $2 AND w.reason = $4 ORDER BY r.message DESC LIMIT $3))) ${NEWEST}`;

const SENT_ENDS =
  "SELECT count(*) AS n FROM delivery_ends WHERE mailing = $1 AND reason = $2 AND state = 'sent'";

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
  if (reason !== null) {
    const reasons = await reasonsOf(session, mailing);
    const rows = await rowsFor(session, range, { reason, state }, reasons);
    return pageOf(rows, countOfReason(reasons, reason, state), page.limit, shape);
  }
  const rows = await rowsOf(session, range, state);
  const counts = await countsOf(session, mailing);
  return pageOf(rows, state === null ? counts.planned : counts[state], page.limit, shape);
}

/** The states in which messages have the reason; of them the wanted one, if one is wanted. */
const statesFor = (
  reason: string,
  reasons: readonly ReasonCount[],
  wanted: DeliveryState | null,
): DeliveryState[] =>
  reasons
    .filter((one) => one.reason === reason && (wanted === null || one.state === wanted))
    .map(({ state }) => state);

async function rowsFor(
  session: Session,
  range: Range,
  { reason, state }: { readonly reason: string; readonly state: DeliveryState | null },
  reasons: readonly ReasonCount[],
): Promise<DeliveryRow[]> {
  const states = statesFor(reason, reasons, state);
  if (states.length === 0) return [];
  const sent = states.includes("sent") ? countOfReason(reasons, reason, "sent") : 0;
  if (sent === 0 || (await sentEnds(session, range[0], reason)) >= sent)
    return await session.rows(FOR_REASON, [...range, reason, states]);
  return await shown(session, range, "AND d.reason = $4 AND d.state = ANY($5::text[])", [reason, states]);
}

/** Fewer than were counted: an earlier version kept no such ends, and the mailing has to be walked. */
async function sentEnds({ row }: Session, mailing: number, reason: string): Promise<number> {
  return present(await row<{ n: number }>(SENT_ENDS, [mailing, reason]), "count of ends").n;
}

function rowsOf(session: Session, range: Range, state: DeliveryState | null): Promise<DeliveryRow[]> {
  const isRare = state !== null && RARE_ENDS.includes(state);
  if (isRare)
    return shown(
      session,
      range,
      `AND d.state = $4 AND d.seq IN (SELECT message FROM delivery_ends WHERE mailing = $1 AND state = $4
        AND message < $2 ORDER BY message DESC LIMIT $3)`,
      [state],
    );
  return shown(session, range, "AND ($4::text IS NULL OR d.state = $4)", [state]);
}

const shown = (
  { rows }: Session,
  range: Range,
  condition: string,
  values: readonly Given[],
): Promise<DeliveryRow[]> => rows(`${SHOWN} ${condition} ${NEWEST}`, [...range, ...values]);
