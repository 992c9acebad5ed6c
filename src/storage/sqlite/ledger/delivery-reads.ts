import type { Database } from "bun:sqlite";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { DELIVERY_STATES, type DeliveryState } from "#deliveries/ledger.ts";
import type { DeliveryFilter, DeliveryRecord, ReasonCount } from "#deliveries/delivery-record.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { countOfReason, deliveryOf, reasonCounts } from "#storage/common/ledger/delivery-record.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  contacts,
  deliveries,
  mailingReasons,
  mailings,
  mailingSkips,
} from "#storage/sqlite/schema/schema.ts";

type DeliveryRow = Row<
  typeof deliveries,
  "seq" | "address" | "state" | "reason" | "replyCode" | "replyEnhanced" | "replyText" | "attempts" | "detail"
> & { contactId: Value<typeof contacts, "id"> | null; sentAt: number | null };
type Counts = Row<typeof mailings, "planned" | DeliveryState>;

/** The rows of a mailing for people, and the reasons for their states. */
export function deliveryReads(
  sqlite: Database,
  countsOf: (mailing: number) => Counts | null,
): Pick<LedgerStore, "deliveries" | "reasons"> {
  const skips = sqlite.query<Row<typeof mailingSkips, "reason" | "n">, [number]>(
    "SELECT reason, n FROM mailing_skips WHERE mailing = ? AND n > 0",
  );
  const others = sqlite.query<Row<typeof mailingReasons, "state" | "reason" | "n">, [number]>(
    "SELECT state, reason, n FROM mailing_reasons WHERE mailing = ? AND n > 0",
  );
  const reasonsOf = (mailing: number): ReasonCount[] => reasonCounts(skips.all(mailing), others.all(mailing));
  return {
    reasons: async (mailing) => reasonsOf(mailing),
    deliveries: deliveriesPage(sqlite, reasonsOf, countsOf),
  };
}

const SHOWN = `SELECT d.seq, c.id AS contactId, d.address, d.state, d.reason, d.reply_code AS replyCode,
  d.reply_enhanced AS replyEnhanced, d.reply_text AS replyText, d.attempts, d.detail,
  iif(d.state = 'sent' OR d.bounced_at IS NOT NULL, d.settled_at, NULL) AS sentAt`;

/** A page of the rows in these states: the ranges of an index, merged. */
function shown<Given extends object>(sqlite: Database, states: readonly string[], index: string, fits = "") {
  const ranges = states.map(
    (state) => `SELECT * FROM (SELECT seq FROM deliveries INDEXED BY ${index}
      WHERE mailing = $mailing ${fits} AND state = '${state}' AND seq < $before ORDER BY seq DESC LIMIT $limit)`,
  );
  return sqlite.query<DeliveryRow, Given & { mailing: number; before: number; limit: number }>(
    `${SHOWN}
     FROM (${ranges.join(" UNION ALL ")}) page JOIN deliveries d ON d.seq = page.seq LEFT JOIN contacts c ON c.seq = d.contact
     ORDER BY d.seq DESC LIMIT $limit`,
  );
}

/**
 * Newest first. Without a filter, the index ranges of the states are merged, so that a page costs the same at any
 * size.
 */
function deliveriesPage(
  sqlite: Database,
  reasonsOf: (mailing: number) => readonly ReasonCount[],
  countsOf: (mailing: number) => Counts | null,
) {
  const ofAddress = sqlite.query<
    DeliveryRow,
    { mailing: number; address: string; before: number; limit: number }
  >(
    `${SHOWN} FROM deliveries d LEFT JOIN contacts c ON c.seq = d.contact
     WHERE d.mailing = $mailing AND d.address = $address AND d.seq < $before LIMIT $limit`,
  );
  const byState = (states: readonly string[]) => shown(sqlite, states, "deliveries_by_state");
  const byReason = (states: readonly string[]) =>
    shown<{ reason: string }>(sqlite, states, "deliveries_by_reason", "AND reason = $reason");
  const each = <T>(make: (states: readonly string[]) => T) =>
    new Map(DELIVERY_STATES.map((state) => [state, make([state])]));
  const ofState = { one: each(byState), all: byState(DELIVERY_STATES) };
  const ofReason = { one: each(byReason), all: byReason(DELIVERY_STATES) };
  const chosen = <T>(
    { one, all }: { one: ReadonlyMap<DeliveryState, T>; all: T },
    state: DeliveryState | null,
  ): T => (state === null ? all : present(one.get(state), "statement for a state"));

  return async (
    mailing: number,
    { state, email, reason }: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryRecord>> => {
    const before = page.before ?? Number.MAX_SAFE_INTEGER;
    const shape = { position: (row: DeliveryRow) => row.seq, item: deliveryOf };
    if (email !== null) {
      // A campaign sends one message to an address.
      const rows = ofAddress.all({ mailing, address: email, before, limit: page.limit + 1 });
      const wanted = rows.filter(
        (row) => (state === null || row.state === state) && (reason === null || row.reason === reason),
      );
      return pageOf(wanted, wanted.length, page.limit, shape);
    }
    const range = { mailing, before, limit: page.limit + 1 };
    if (reason !== null) {
      const rows = chosen(ofReason, state).all({ ...range, reason });
      return pageOf(rows, countOfReason(reasonsOf(mailing), reason, state), page.limit, shape);
    }
    const counts = countsOf(mailing);
    const rows = chosen(ofState, state).all(range);
    const total = counts === null ? 0 : state === null ? counts.planned : counts[state];
    return pageOf(rows, total, page.limit, shape);
  };
}
