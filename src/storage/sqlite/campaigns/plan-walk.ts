/**
 * Plans a list in stretches, each in the order of its addresses. Neighbours in the index share its pages. A
 * million addresses in the order of the list would write one page each.
 *
 * A stretch exists in memory only. After a crash it is read again, and contacts that are planned already are
 * skipped.
 */
import type { Plan, PlanStore } from "#campaigns/plan.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, deliveries, mailings } from "#storage/sqlite/schema/schema.ts";

/**
 * Long enough that several of its addresses share a page of the index, and short enough to need little
 * memory.
 */
const STRETCH_CONTACTS = 50_000;

const STRETCH = `
  CREATE TEMP TABLE IF NOT EXISTS plan_stretch (
    mailing INTEGER NOT NULL, address TEXT NOT NULL, contact INTEGER NOT NULL, PRIMARY KEY (mailing, address, contact)
  ) STRICT, WITHOUT ROWID`;

const GATHER = `
  INSERT INTO temp.plan_stretch (mailing, address, contact)
  SELECT $mailing, c.email, c.seq FROM list_members m CROSS JOIN contacts c ON c.seq = m.contact
  WHERE m.list = $list AND m.status = 'SUBSCRIBED' AND m.contact > $after AND m.contact <= $through`;

/**
 * The next slice of the stretch. Everybody who is still SUBSCRIBED on the list gets a row, also those who
 * will be skipped.
 */
const PLAN_SLICE = `
  INSERT INTO deliveries (mailing, contact, address, state, reason)
  SELECT $mailing, contact, email, iif(reason IS NULL, 'queued', 'skipped'), reason FROM (
    SELECT c.seq AS contact, c.email, CASE
      WHEN x.address IS NOT NULL THEN 'EXCLUDED'
      WHEN s.address IS NOT NULL THEN 'SUPPRESSED'
      WHEN b.domain IS NOT NULL THEN 'BLOCKED_DOMAIN' END AS reason
    FROM (SELECT contact FROM temp.plan_stretch WHERE mailing = $mailing ORDER BY address, contact LIMIT $rows) page
    CROSS JOIN list_members m ON m.list = $list AND m.status = 'SUBSCRIBED' AND m.contact = page.contact
    CROSS JOIN contacts c ON c.seq = m.contact
    LEFT JOIN mailing_exclusions x ON x.mailing = $mailing AND x.address = c.email
    LEFT JOIN suppressions s ON s.workspace = c.workspace AND s.address = c.email
    LEFT JOIN blocked_domains b ON b.workspace = c.workspace AND b.domain = substr(c.email, instr(c.email, '@') + 1))
  WHERE true ON CONFLICT DO NOTHING`;

type WalkedRow = Row<typeof mailings, "list"> & { through: Value<typeof mailings, "plannedThrough"> };
type StretchRow = { address: Value<typeof contacts, "email">; contact: Value<typeof contacts, "seq"> };
type Stretch = { readonly contacts: number; readonly through: number };

export function planWalk({ sqlite, writes }: SqliteDatabase) {
  sqlite.exec(STRETCH);
  const stretches = new Map<number, Stretch>();
  const mailingOf = sqlite.query<WalkedRow, [number]>(
    "SELECT list, planned_through AS through FROM mailings WHERE seq = ? AND phase = 'planning'",
  );
  const reach = sqlite.query<{ through: number | null; n: number }, [number | null, number, number]>(
    `SELECT max(contact) AS through, count(*) AS n FROM (
       SELECT contact FROM list_members WHERE list = ? AND status = 'SUBSCRIBED' AND contact > ? ORDER BY contact LIMIT ?)`,
  );
  const gather = sqlite.query<null, { mailing: number; list: number | null; after: number; through: number }>(
    GATHER,
  );
  const forgetAll = sqlite.query<null, [number]>("DELETE FROM temp.plan_stretch WHERE mailing = ?");
  const forgetBefore = sqlite.query<null, [number, string, number]>(
    "DELETE FROM temp.plan_stretch WHERE mailing = ? AND (address, contact) < (?, ?)",
  );
  const behindSlice = sqlite.query<StretchRow, [number, number]>(
    "SELECT address, contact FROM temp.plan_stretch WHERE mailing = ? ORDER BY address, contact LIMIT 1 OFFSET ?",
  );
  const planSlice = slicePlanning(sqlite);
  const planThrough = sqlite.query("UPDATE mailings SET planned_through = ? WHERE seq = ?");

  const drop = (number: number): void => {
    forgetAll.run(number);
    stretches.delete(number);
  };

  return {
    gather: async ({ number }, contactsMax) => {
      const mailing = mailingOf.get(number);
      if (mailing === null) return "stopped";
      const { list, through: planned } = mailing;
      if (!stretches.has(number)) forgetAll.run(number);
      const { contacts, through: after } = stretches.get(number) ?? { contacts: 0, through: planned };
      const rows = Math.min(contactsMax, STRETCH_CONTACTS - contacts);
      const { through, n } = present(reach.get(list, after, rows), "end of a slice");
      if (through !== null) {
        gather.run({ mailing: number, list, after, through });
        stretches.set(number, { contacts: contacts + n, through });
      }
      if (n === contactsMax && contacts + n < STRETCH_CONTACTS) return "more";
      return contacts + n > 0 ? "stretch" : "end";
    },

    advance: ({ number }, contactsMax) =>
      writes.write(() => {
        const stretch = stretches.get(number);
        const mailing = mailingOf.get(number);
        if (stretch === undefined || mailing === null) return "end";
        const next = behindSlice.get(number, contactsMax);
        planSlice(number, mailing.list, contactsMax);
        if (next !== null) {
          forgetBefore.run(number, next.address, next.contact);
          return "more";
        }
        planThrough.run(stretch.through, number);
        drop(number);
        return "end";
      }),

    drop: ({ number }: Plan) => drop(number),
  } satisfies Pick<PlanStore, "gather" | "advance"> & { drop(plan: Plan): void };
}

function slicePlanning(sqlite: SqliteDatabase["sqlite"]) {
  const insert = sqlite.query<null, { mailing: number; list: number | null; rows: number }>(PLAN_SLICE);
  const lastRow = sqlite.query<{ seq: number }, []>("SELECT coalesce(max(seq), 0) AS seq FROM deliveries");
  // Only the skipped rows are returned, read from the end of an index. Mostly there are none.
  const skippedSince = sqlite.query<Row<typeof deliveries, "reason">, [number, number]>(
    "SELECT reason FROM deliveries WHERE mailing = ? AND state = 'skipped' AND seq > ?",
  );
  const count = sqlite.query(
    "UPDATE mailings SET planned = planned + ?, queued = queued + ?, skipped = skipped + ? WHERE seq = ?",
  );
  const countSkips = sqlite.query(
    "INSERT INTO mailing_skips VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );

  return (mailing: number, list: number | null, rowsMax: number): void => {
    const before = present(lastRow.get(), "newest message").seq;
    const planned = insert.run({ mailing, list, rows: rowsMax }).changes;
    const skipped = skippedSince.all(mailing, before);
    count.run(planned, planned - skipped.length, skipped.length, mailing);
    const reasons = Map.groupBy(skipped, ({ reason }) => reason);
    for (const [reason, rows] of reasons) countSkips.run(mailing, reason, rows.length);
  };
}
