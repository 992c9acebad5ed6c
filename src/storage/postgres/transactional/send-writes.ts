/** A request's mailing and its rows, in an open transaction. */
import { present } from "#core/present.ts";
import { barredBy } from "#deliveries/eligibility.ts";
import { newAccount } from "#deliveries/moves/account.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { barringJoins, type BarringRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { addContent, owe } from "#storage/postgres/ledger/single-messages.ts";
import { countIn } from "#storage/postgres/ledger/moves/tally.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { deliveries, mailings } from "#storage/postgres/schema/schema.ts";
import type { NewSend } from "#transactional/store.ts";
import type { PlannedAddress, SendPurpose } from "#storage/common/transactional/planned-address.ts";

/** Null for a test, which counts nowhere and is reported to nobody. */
type Written = Pick<NewSend, "id" | "now" | "tags"> & {
  readonly month: string | null;
  readonly from: NewSend["from"] | null;
  /** The process that has the letter. */
  readonly node: number | null;
};

/** The contacts stay until their messages are written: deleting one clears only messages that it sees. */
const HOLD =
  "SELECT FROM contacts WHERE workspace = $1 AND email = ANY($2::text[]) ORDER BY seq FOR KEY SHARE";
const STANDING = `SELECT a.address, c.seq AS contact, c.status, s.reason AS suppression, b.domain IS NOT NULL AS domain_blocked
  FROM unnest($2::text[]) WITH ORDINALITY AS given (address, n)
  CROSS JOIN LATERAL (SELECT $1::int8 AS workspace, given.address COLLATE "C" AS address) AS a
  LEFT JOIN contacts AS c ON c.workspace = a.workspace AND c.email = a.address
  ${barringJoins("a.workspace", "a.address")} ORDER BY given.n`;
const MAKE = `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at, finished_at,
    is_test, node) VALUES ($1, 'transactional', $2, $3, $4, $5, $5, $6, $7, $8) RETURNING seq`;
const ADD = `INSERT INTO deliveries (mailing, contact, address, state, reason, settled_at)
  SELECT $1::int8, contact, address, CASE WHEN skip IS NULL THEN 'queued' ELSE 'skipped' END, skip,
    CASE WHEN skip IS NOT NULL THEN $5::int8 END
  FROM unnest($2::int8[], $3::text[], $4::text[]) WITH ORDINALITY AS p (contact, address, skip, n) ORDER BY n
  RETURNING seq, address, state, reason`;
const END = `INSERT INTO delivery_ends (mailing, state, message, reason)
  SELECT $1::int8, 'skipped', * FROM unnest($2::int8[], $3::text[])`;
const COUNT_SKIPS =
  "INSERT INTO mailing_skips (mailing, reason, n) SELECT $1::int8, reason, 1 FROM unnest($2::text[]) AS reason";
const SHOW = `INSERT INTO messages (workspace, delivery, address, state)
  SELECT $1::int8, * FROM unnest($2::int8[], $3::text[], $4::text[])`;
const ADD_TAGS =
  "INSERT INTO mailing_tags (mailing, tag) SELECT $1::int8, tag FROM unnest($2::text[]) AS tag";

/** The outcome for each address, in the order of the request. */
export async function planAddresses(
  { run, rows }: Session,
  workspace: number,
  addresses: readonly string[],
  { isForTest }: SendPurpose,
): Promise<PlannedAddress[]> {
  type Found = BarringRow & { address: string; contact: number | null };
  // A second statement, because one that waits for a lock would see the contacts as they were before.
  const [, found] = await Promise.all([
    isForTest ? null : run(HOLD, [workspace, addresses]),
    rows<Found>(STANDING, [workspace, addresses]),
  ]);
  return found.map(({ address, contact, ...standing }) => ({
    address,
    contact: isForTest ? null : contact,
    skip: barredBy({ ...standing, isForTest, kind: "transactional" }),
  }));
}

type Added = Row<typeof deliveries, "seq" | "address" | "state" | "reason">;

/** Returns the mailing's number. */
export async function writeSend(
  tx: Session,
  workspace: number,
  send: Written,
  planned: readonly PlannedAddress[],
): Promise<number> {
  const { id, month, now, node } = send;
  const wanted = planned.filter(({ skip }) => skip === null).length;
  const [phase, finishedAt] = wanted === 0 ? ["finished", now] : ["sending", null];
  const isTest = month === null;
  const made = await tx.row<Row<typeof mailings, "seq">>(MAKE, [
    workspace,
    id,
    phase ?? null,
    month,
    now,
    finishedAt ?? null,
    isTest,
    node,
  ]);
  const { seq } = present(made, "mailing that was just made");
  const added = await tx.rows<Added>(ADD, [
    seq,
    planned.map(({ contact }) => contact),
    planned.map(({ address }) => address),
    planned.map(({ skip }) => skip),
    now,
  ]);
  const skipped = added.filter(({ state }) => state === "skipped");
  const owed = added.filter(({ state }) => state === "queued");
  await owe(tx, { mailing: seq, at: now, node }, seqsOf(owed));
  if (skipped.length > 0) {
    const reasons = skipped.map(({ reason }) => reason);
    await tx.run(END, [seq, seqsOf(skipped), reasons]);
    await tx.run(COUNT_SKIPS, [seq, reasons]);
  }
  await countIn(tx, seq, { ...newAccount(), queued: owed.length, skipped: skipped.length }, added.length);
  if (!isTest)
    await tx.run(SHOW, [
      workspace,
      seqsOf(added),
      added.map(({ address }) => address),
      added.map(({ state }) => state),
    ]);
  if (send.tags.length > 0) await tx.run(ADD_TAGS, [seq, send.tags]);
  if (send.from !== null) await addContent(tx, seq, JSON.stringify({ from: { address: send.from.address } }));
  return seq;
}

const seqsOf = (rows: readonly Added[]): number[] => rows.map(({ seq }) => seq);
