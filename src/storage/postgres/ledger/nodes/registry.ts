import type { Clock, Instant } from "#core/time/clock.ts";
import { Fenced } from "#core/errors/fenced.ts";
import { present } from "#core/present.ts";
import { LEFT_AT_DOT, LEFT_UNANSWERED } from "#deliveries/moves/left-behind.ts";
import type { RunRegistry } from "#deliveries/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdCopied } from "#storage/postgres/run/hold.ts";
import { checkStillHere } from "#storage/postgres/run/moved-to.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { nodes } from "#storage/postgres/schema/schema.ts";
import { drawInRetries } from "#storage/postgres/ledger/moves/far-retries.ts";
import { finishAllEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import type { OwnNode } from "./node.ts";
import { lockMessages } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { TIMELINE } from "./timeline.ts";
import { newTally } from "#storage/postgres/ledger/moves/tally.ts";

/** All leases are measured by one clock. */
export const DATABASE_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::int8";

const ADD = `INSERT INTO nodes (name, version, started_at) VALUES ($1, $2, $3) RETURNING id, ${TIMELINE} AS timeline`;
const FIRST_BEAT = `INSERT INTO node_beats (node, until) VALUES ($1, ${DATABASE_NOW} + $2)`;
const BEAT = `UPDATE node_beats SET until = ${DATABASE_NOW} + $2
  WHERE node = $1 AND EXISTS (SELECT FROM nodes WHERE id = $1 AND fenced_at IS NULL)`;
/** Each is higher than all before, of all nodes. */
export const NEXT_NUMBER = "SELECT nextval(pg_get_serial_sequence('nodes', 'id')) AS number";

/**
 * A round of a node locks its row, so a node that is fenced here commits no further round. Nobody fences itself: after
 * the database was away, the next beat renews the lease, unless another node was first.
 */
const FENCE = `UPDATE nodes SET fenced_at = $1 WHERE id IN (
    SELECT n.id FROM nodes AS n JOIN node_beats AS b ON b.node = n.id
    WHERE n.fenced_at IS NULL AND b.until < ${DATABASE_NOW} AND n.id IS DISTINCT FROM $2::int8
    FOR NO KEY UPDATE OF n SKIP LOCKED)`;
const FENCE_OWN = "UPDATE nodes SET fenced_at = $2 WHERE id = $1 AND fenced_at IS NULL";
const PEERS = `SELECT count(*) AS nodes, count(*) FILTER (WHERE n.id < $1) AS older, ${DATABASE_NOW} AS now
  FROM nodes AS n JOIN node_beats AS b ON b.node = n.id WHERE n.fenced_at IS NULL AND b.until >= ${DATABASE_NOW}`;
const TO_SWEEP = `SELECT id FROM nodes WHERE fenced_at IS NOT NULL AND swept_at IS NULL
  AND ($1::int8 IS NULL OR id = $1) ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
/** Each message at its dot is in an open slice, or has a row in `retries`. */
const AT_DOT = `d.state = 'dot' AND d.node = $1 AND d.seq IN (
    SELECT x.seq FROM slices AS s JOIN deliveries AS x ON x.mailing = s.mailing AND x.seq BETWEEN s.lo AND s.hi
    WHERE NOT s.done UNION ALL SELECT message FROM retries)`;
const UNANSWERED = "d.state = 'queued' AND m.node = $1 AND m.phase = 'sending'";
const FREE = [
  "UPDATE slices SET node = NULL WHERE node = $1 AND NOT done",
  "UPDATE retries SET node = NULL WHERE node = $1",
  "UPDATE webhooks SET node = NULL WHERE node = $1",
  "UPDATE imports SET node = NULL WHERE node = $1",
  "UPDATE plans SET node = NULL WHERE node = $1",
];

/** What only a database with several nodes has. */
export type NodeRegistry = Omit<RunRegistry, "beat"> & {
  /** As of any run. Returns a number that is higher than all before, of all nodes. @throws Fenced */
  beat(now: Instant): Promise<number>;
  readonly leaseMs: number;
  /** Resolves when this process may never send again (node.ts). */
  readonly lost: Promise<Error>;
  /** Looks which other nodes send (node.ts `peers`). Returns the time of the database's clock. */
  meet(): Promise<Instant>;
  /** The process sends no more: its work is free at once, as after the end of its lease. */
  leave(now: Instant): Promise<void>;
};

/** The nodes that send from this database (node.ts). */
export function registry(
  database: PostgresDatabase,
  own: OwnNode,
  clock: Pick<Clock, "monotonicMs">,
): NodeRegistry {
  const { write, apart } = database;

  return {
    leaseMs: own.leaseMs,
    lost: own.lost,

    async sweep(now) {
      await write((tx) => tx.run(FENCE, [now, own.number]));
      let uncertain = 0;
      for (;;) {
        const swept = await write((tx) => sweepOne(tx, now));
        if (swept === null) break;
        uncertain += swept;
      }
      await finishAllEmptied(database, now);
      return uncertain;
    },

    async join(now, hold) {
      const askedAtMs = clock.monotonicMs();
      const joined = await write(async (tx) => {
        await checkStillHere(tx, "FOR KEY SHARE");
        await drawInRetries(tx, now);
        const held = hold ? await holdCopied(tx, now) : 0;
        type Added = Row<typeof nodes, "id"> & { timeline: string };
        const added = await tx.row<Added>(ADD, [own.name, own.version, now]);
        const { id: run, timeline } = present(added, "node that joins");
        await tx.run(FIRST_BEAT, [run, own.leaseMs]);
        return { run, held, timeline, met: await peersOf(tx, run) };
      });
      const { run, held, timeline, met } = joined;
      own.joined(run, askedAtMs, timeline);
      // Before it sends: until its first beat a node that knew nobody would take the whole of each limit.
      own.met(met.peers);
      return { run, held };
    },

    async beat() {
      const askedAtMs = clock.monotonicMs();
      if ((await apart.write((tx) => tx.run(BEAT, [own.number, own.leaseMs]))) === 0) throw new Fenced();
      own.renewed(askedAtMs);
      // Other nodes write too, so there is always something new.
      const next = await apart.read(({ row }) => row<{ number: number }>(NEXT_NUMBER));
      return present(next, "number of a run").number;
    },

    async meet() {
      const { now, peers } = await apart.read((session) => peersOf(session, own.number));
      // A node that was fenced does not see itself.
      if (peers.nodes > 0) own.met(peers);
      return now;
    },

    async leave(now) {
      await write((tx) => tx.run(FENCE_OWN, [own.number, now]));
      await write((tx) => sweepOne(tx, now, own.number));
    },
  };
}

type Met = { readonly peers: OwnNode["peers"]; readonly now: Instant };

/** Who sends now, as a node sees it. */
async function peersOf({ row }: Pick<Session, "row">, node: number | null): Promise<Met> {
  const found = await row<OwnNode["peers"] & { now: Instant }>(PEERS, [node]);
  const { now, ...peers } = present(found, "count of nodes");
  return { peers, now };
}

/** Takes over what one fenced node left (deliveries/moves/left-behind.ts): the given one, or any. Null: none. */
async function sweepOne(tx: Session, now: Instant, which: number | null = null): Promise<number | null> {
  const node = await tx.row<Row<typeof nodes, "id">>(TO_SWEEP, [which]);
  if (node === null) return null;
  const tally = newTally(tx);
  const atDot = await lockMessages(tx, AT_DOT, [node.id]);
  for (const row of atDot) tally.move(row, LEFT_AT_DOT, { now });
  for (const row of await lockMessages(tx, UNANSWERED, [node.id])) tally.move(row, LEFT_UNANSWERED, { now });
  await tally.book();
  for (const statement of FREE) await tx.run(statement, [node.id]);
  await tx.run("UPDATE nodes SET swept_at = $2 WHERE id = $1", [node.id, now]);
  return atDot.length;
}
