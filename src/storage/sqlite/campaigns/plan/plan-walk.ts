/**
 * Plans a list in stretches, each in the order of its addresses, because neighbours in the index share its pages. A
 * million addresses in the order of the list would write one page each.
 *
 * Who is on a list is read during the walk. Who is in a segment was settled before (`plan-audience.ts`).
 *
 * A stretch exists in memory only. After a crash it is read again, and contacts that are planned already are
 * skipped.
 */
import type { Plan, PlanStore, PlanWork } from "#campaigns/send/plan.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, deliveries, mailings } from "#storage/sqlite/schema/schema.ts";
import { settledAudiences, type SettledAudience } from "./plan-audience.ts";

/**
 * Long enough that several of its addresses share a page of the index, and short enough to need little
 * memory.
 */
const STRETCH_CONTACTS = 50_000;

const STRETCH = `
  CREATE TEMP TABLE IF NOT EXISTS plan_stretch (
    mailing INTEGER NOT NULL, address TEXT NOT NULL, contact INTEGER NOT NULL, excluded INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (mailing, address, contact)
  ) STRICT, WITHOUT ROWID`;

const GATHER = `
  INSERT INTO temp.plan_stretch (mailing, address, contact)
  SELECT $mailing, c.email, c.seq FROM list_members m CROSS JOIN contacts c ON c.seq = m.contact
  WHERE m.list = $list AND m.status = 'SUBSCRIBED' AND m.contact > $after AND m.contact <= $through`;

/** It may be repeated, where the second half of a slice could not be read. */
const GATHER_SETTLED = `
  INSERT INTO temp.plan_stretch (mailing, address, contact, excluded)
  SELECT $mailing, c.email, c.seq, $excluded FROM json_each($contacts) wanted CROSS JOIN contacts c ON c.seq = wanted.value
  WHERE c.status = 'SUBSCRIBED' ON CONFLICT DO NOTHING`;

/** Contacts of the stretch who are still SUBSCRIBED on the list. */
const ON_LIST =
  "CROSS JOIN list_members m ON m.list = $list AND m.status = 'SUBSCRIBED' AND m.contact = page.contact CROSS JOIN contacts c ON c.seq = m.contact";
/** Contacts of a settled audience; the list is one of its conditions, if there is one. */
const IN_AUDIENCE = `CROSS JOIN contacts c ON c.seq = page.contact AND c.status = 'SUBSCRIBED' AND ($list IS NULL
      OR EXISTS (SELECT 1 FROM list_members m WHERE m.list = $list AND m.status = 'SUBSCRIBED' AND m.contact = page.contact))`;

/** The next slice of the stretch. Every contact whom the plan looks at gets a row, even if it will be skipped. */
const planSliceSql = (who: string): string => `
  INSERT INTO deliveries (mailing, contact, address, state, reason)
  SELECT $mailing, contact, email, iif(reason IS NULL, 'queued', 'skipped'), reason FROM (
    SELECT c.seq AS contact, c.email, CASE
      WHEN page.excluded = 1 OR x.address IS NOT NULL THEN 'EXCLUDED'
      WHEN s.address IS NOT NULL THEN 'SUPPRESSED'
      WHEN b.domain IS NOT NULL THEN 'BLOCKED_DOMAIN' END AS reason
    FROM (SELECT contact, excluded FROM temp.plan_stretch WHERE mailing = $mailing ORDER BY address, contact LIMIT $rows) page
    ${who}
    LEFT JOIN mailing_exclusions x ON x.mailing = $mailing AND x.address = c.email
    LEFT JOIN suppressions s ON s.workspace = c.workspace AND s.address = c.email
    LEFT JOIN blocked_domains b ON b.workspace = c.workspace AND b.domain = substr(c.email, instr(c.email, '@') + 1))
  WHERE true ON CONFLICT DO NOTHING`;

type WalkedRow = Row<typeof mailings, "list"> & { through: Value<typeof mailings, "plannedThrough"> };
type StretchRow = { address: Value<typeof contacts, "email">; contact: Value<typeof contacts, "seq"> };
/** `isWhole`: no more contacts are added to it, and it can be planned. */
type Stretch = { readonly contacts: number; readonly through: number; readonly isWhole: boolean };

export function planWalk({ sqlite, writes }: SqliteDatabase) {
  sqlite.exec(STRETCH);
  const stretches = new Map<number, Stretch>();
  const mailingOf = sqlite.query<WalkedRow, [number]>(
    "SELECT list, planned_through AS through FROM mailings WHERE seq = ? AND phase = 'planning'",
  );
  const audiences = settledAudiences(sqlite);
  const ofList = gatheringOfList(sqlite);
  const ofAudience = gatheringOfAudience(sqlite);
  const forgetAll = sqlite.query<null, [number]>("DELETE FROM temp.plan_stretch WHERE mailing = ?");
  const planSlice = stretchPlanning(sqlite);

  const drop = (number: number): void => {
    forgetAll.run(number);
    stretches.delete(number);
  };

  /** Adds contacts to the stretch, outside of any transaction, because nothing else uses it. */
  const gather = (number: number, contactsMax: number): PlanWork => {
    const mailing = mailingOf.get(number);
    if (mailing === null) return "stopped";
    const { list, through: planned } = mailing;
    if (!stretches.has(number)) forgetAll.run(number);
    const { contacts, through: after } = stretches.get(number) ?? { contacts: 0, through: planned };
    const rows = Math.min(contactsMax, STRETCH_CONTACTS - contacts);
    const audience = audiences.of(number);
    const { through, n } =
      audience === null ? ofList(number, list, after, rows) : ofAudience(number, audience, after, rows);
    const gathered = contacts + n;
    const isWhole = n < contactsMax || gathered >= STRETCH_CONTACTS;
    if (gathered > 0) stretches.set(number, { contacts: gathered, through: through ?? after, isWhole });
    if (!isWhole) return "read";
    return gathered > 0 ? "write" : "end";
  };

  /** Plans the next slice of a whole stretch, on an open transaction. */
  const plan = (number: number, stretch: Stretch, contactsMax: number): PlanWork => {
    const mailing = mailingOf.get(number);
    if (mailing === null) return "stopped";
    const of = audiences.of(number) === null ? "list" : "audience";
    if (!planSlice(number, { list: mailing.list, of }, stretch, contactsMax)) return "write";
    drop(number);
    return "read";
  };

  return {
    planNext: async ({ number }, contactsMax) => {
      const stretch = stretches.get(number);
      if (stretch?.isWhole !== true) return gather(number, contactsMax);
      return await writes.write(() => plan(number, stretch, contactsMax));
    },

    drop({ number }: Plan) {
      drop(number);
      audiences.drop(number);
    },
  } satisfies Pick<PlanStore, "planNext"> & { drop(plan: Plan): void };
}

/** How far one gathering reached, and how many it found. */
type Reach = { readonly through: number | null; readonly n: number };

function gatheringOfList(sqlite: SqliteDatabase["sqlite"]) {
  const reach = sqlite.query<Reach, [number | null, number, number]>(
    `SELECT max(contact) AS through, count(*) AS n FROM (
       SELECT contact FROM list_members WHERE list = ? AND status = 'SUBSCRIBED' AND contact > ? ORDER BY contact LIMIT ?)`,
  );
  const gather = sqlite.query<null, { mailing: number; list: number | null; after: number; through: number }>(
    GATHER,
  );
  return (mailing: number, list: number | null, after: number, rows: number): Reach => {
    const reached = present(reach.get(list, after, rows), "end of a slice");
    if (reached.through !== null) gather.run({ mailing, list, after, through: reached.through });
    return reached;
  };
}

function gatheringOfAudience(sqlite: SqliteDatabase["sqlite"]) {
  const gather = sqlite.query<null, { mailing: number; excluded: number; contacts: string }>(GATHER_SETTLED);
  return (mailing: number, { asked, excluded }: SettledAudience, after: number, rows: number): Reach => {
    const contacts = asked.ascending(after, rows);
    const [mailed, skipped] = [
      contacts.filter((seq) => !excluded.has(seq)),
      contacts.filter((seq) => excluded.has(seq)),
    ];
    gather.run({ mailing, excluded: 0, contacts: JSON.stringify(mailed) });
    gather.run({ mailing, excluded: 1, contacts: JSON.stringify(skipped) });
    return { through: contacts.at(-1) ?? null, n: contacts.length };
  };
}

/** Plans the next slice of a stretch; true if that was the last one. */
function stretchPlanning(sqlite: SqliteDatabase["sqlite"]) {
  const forgetBefore = sqlite.query<null, [number, string, number]>(
    "DELETE FROM temp.plan_stretch WHERE mailing = ? AND (address, contact) < (?, ?)",
  );
  const behindSlice = sqlite.query<StretchRow, [number, number]>(
    "SELECT address, contact FROM temp.plan_stretch WHERE mailing = ? ORDER BY address, contact LIMIT 1 OFFSET ?",
  );
  const planSlice = slicePlanning(sqlite);
  const planThrough = sqlite.query("UPDATE mailings SET planned_through = ? WHERE seq = ?");

  return (
    mailing: number,
    { list, of }: { readonly list: number | null; readonly of: "list" | "audience" },
    { through }: Stretch,
    contactsMax: number,
  ): boolean => {
    const next = behindSlice.get(mailing, contactsMax);
    planSlice(mailing, list, contactsMax, of);
    if (next === null) planThrough.run(through, mailing);
    else forgetBefore.run(mailing, next.address, next.contact);
    return next === null;
  };
}

function slicePlanning(sqlite: SqliteDatabase["sqlite"]) {
  const inserting = (who: string) =>
    sqlite.query<null, { mailing: number; list: number | null; rows: number }>(planSliceSql(who));
  const insert = { list: inserting(ON_LIST), audience: inserting(IN_AUDIENCE) };
  const lastRow = sqlite.query<{ seq: number }, []>("SELECT coalesce(max(seq), 0) AS seq FROM deliveries");
  // Only the skipped rows are returned, read from the end of an index. Usually there are none.
  const skippedSince = sqlite.query<Row<typeof deliveries, "reason">, [number, number]>(
    "SELECT reason FROM deliveries WHERE mailing = ? AND state = 'skipped' AND seq > ?",
  );
  const count = sqlite.query(
    "UPDATE mailings SET planned = planned + ?, queued = queued + ?, skipped = skipped + ? WHERE seq = ?",
  );
  const countSkips = sqlite.query(
    "INSERT INTO mailing_skips VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );

  return (mailing: number, list: number | null, rowsMax: number, of: keyof typeof insert): void => {
    const before = present(lastRow.get(), "newest message").seq;
    const planned = insert[of].run({ mailing, list, rows: rowsMax }).changes;
    const skipped = skippedSince.all(mailing, before);
    count.run(planned, planned - skipped.length, skipped.length, mailing);
    const reasons = Map.groupBy(skipped, ({ reason }) => reason);
    for (const [reason, rows] of reasons) countSkips.run(mailing, reason, rows.length);
  };
}
