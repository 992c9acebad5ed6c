import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { suppressions } from "#storage/postgres/schema/schema.ts";
import { contactActivity } from "#storage/postgres/stats/contact-activity.ts";
import { strongerReason, type SuppressionReason } from "#suppression/reason.ts";
import type { Suppress } from "#storage/common/consent/consent-write.ts";

type EntryRow = Row<typeof suppressions, "address" | "reason">;

const REASONS = "SELECT address, reason FROM suppressions WHERE workspace = $1 AND address = ANY($2::text[])";
// In the order of the addresses, so that there are no deadlocks.
const ADD = `INSERT INTO suppressions (workspace, address, reason, source, created_at)
  SELECT $1, a.* FROM unnest($2::text[], $3::text[], $4::text[], $5::int8[]) AS a (address, reason, source, at)
  ORDER BY a.address COLLATE "C" ON CONFLICT DO NOTHING RETURNING address`;
const HOLD = `${REASONS} ORDER BY address FOR NO KEY UPDATE`;
const STRENGTHEN = `UPDATE suppressions AS s SET reason = a.reason, source = a.source
  FROM unnest($2::text[], $3::text[], $4::text[]) AS a (address, reason, source)
  WHERE s.workspace = $1 AND s.address = a.address`;

/** Why addresses are suppressed, by address; addresses that are not suppressed are missing. */
export async function reasonsOf(
  session: Session,
  workspace: number,
  addresses: readonly string[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await session.rows<EntryRow>(REASONS, [workspace, [...new Set(addresses)]]);
  return new Map(rows.map(({ address, reason }) => [address, reason]));
}

/** Why an address is suppressed. An existing entry is locked until the transaction ends. */
export async function holdReason(
  tx: Session,
  workspace: number,
  address: string,
): Promise<SuppressionReason | null> {
  const [held] = await tx.rows<EntryRow>(HOLD, [workspace, [address]]);
  return held?.reason ?? null;
}

/**
 * Adds entries, in their order, on an open transaction. An existing entry keeps its time, and the stronger reason
 * with its source is kept.
 */
export async function suppressAll(tx: Session, workspace: number, asked: readonly Suppress[]): Promise<void> {
  const wanted = strongest(asked);
  const activity = contactActivity(tx, workspace);
  // An existing entry may be removed before it is locked: then it is added after all.
  for (let left = wanted; left.length > 0;) {
    const added = new Set((await addThose(tx, workspace, left)).map(({ address }) => address));
    for (const entry of left) if (added.has(entry.address)) activity.suppressed(entry, entry.decidedAt);
    const others = left.filter(({ address }) => !added.has(address));
    if (others.length === 0) break;
    const held = await tx.rows<EntryRow>(HOLD, [workspace, others.map(({ address }) => address)]);
    const reasons = new Map(held.map(({ address, reason }) => [address, reason]));
    const stronger = others.filter(({ address, reason }) => {
      const current = reasons.get(address);
      return current !== undefined && strongerReason(current, reason) !== current;
    });
    await strengthen(tx, workspace, stronger);
    for (const entry of stronger) activity.suppressed(entry, entry.decidedAt);
    left = others.filter(({ address }) => !reasons.has(address));
  }
  await activity.book();
}

/** `decidedAt`: when the reason that counts was given. */
type Wanted = Suppress & { readonly decidedAt: number };

/** Each address once, with its strongest reason. */
function strongest(asked: readonly Suppress[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const one of asked) {
    const known = wanted.get(one.address);
    if (known === undefined) wanted.set(one.address, { ...one, decidedAt: one.at });
    else if (strongerReason(known.reason, one.reason) !== known.reason)
      wanted.set(one.address, { ...one, at: known.at, decidedAt: one.at });
  }
  return [...wanted.values()];
}

const addThose = (tx: Session, workspace: number, wanted: readonly Wanted[]) =>
  tx.rows<Row<typeof suppressions, "address">>(ADD, [
    workspace,
    ...namesOf(wanted),
    wanted.map(({ at }) => at),
  ]);

async function strengthen(tx: Session, workspace: number, wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length > 0) await tx.run(STRENGTHEN, [workspace, ...namesOf(wanted)]);
}

const namesOf = (wanted: readonly Wanted[]): string[][] => [
  wanted.map(({ address }) => address),
  wanted.map(({ reason }) => reason),
  wanted.map(({ source }) => source),
];
