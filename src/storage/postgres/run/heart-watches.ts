/** What a node watches while its heart beats: its lease, its connections, and the clocks. */
import type { Clock, Instant } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { Unanswered, WentBack } from "#core/errors/fenced.ts";
import type { Log } from "#log.ts";
import { CHECKS_UNTIL_LOST } from "#storage/postgres/engine/awaited.ts";
import { isOurs } from "#storage/postgres/engine/connection-name.ts";
import { holdersOfStatements, inWords } from "#storage/postgres/engine/lock-holders.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { NodeRegistry } from "#storage/postgres/ledger/nodes/registry.ts";
import type { DatabaseRecord, SeenDatabase } from "./database-record.ts";

/** Longer than a read takes on a busy server, and than a network is away that comes back. */
const ANSWER_LEASES = 4;
/**
 * The statements of this process on which PostgreSQL works, and not since a moment ago. A pooler may put the client's
 * address and port behind the name of each connection (pgbouncer, `application_name_add_host`).
 */
const LONG_AT_WORK = `SELECT count(*) AS n FROM pg_stat_activity AS a
  WHERE datname = current_database() AND ${isOurs("a")}
    AND backend_type = 'client backend' AND (
      state = 'active' AND wait_event_type IS DISTINCT FROM 'Client'
        AND query_start < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
      -- track_activities is off: nobody can know.
      OR coalesce(state, 'disabled') = 'disabled')`;

export type WatchParts = {
  readonly database: Pick<PostgresDatabase, "read" | "write" | "apart" | "watch" | "awaited">;
  readonly registry: NodeRegistry;
  /** The machine's own: leases are counted by it, and by the database's. */
  readonly clock: Clock;
  readonly log: Log;
  /** What this server sees of the database is written down at each beat. */
  readonly record: DatabaseRecord;
  /** What it saw when it joined. */
  readonly seen: SeenDatabase;
};

/** When this node last showed that it lives. */
export function leaseWatch({ registry: { leaseMs }, clock, log }: WatchParts, beatMs: number) {
  let shownAtMs = clock.monotonicMs();
  /** Since when it has shown it again, after the database was away. */
  let backSinceMs = -Infinity;
  let isSilent = false;
  return {
    /** A beat may wait for hours, for a standby that is away: a person should read of it meanwhile. */
    look(): void {
      if (isSilent || clock.monotonicMs() - shownAtMs <= leaseMs) return;
      isSilent = true;
      log.warn("the database does not answer in time: nothing is sent until it does");
    },
    /** It is shown by now, from when it was asked for. */
    renewed(askedAtMs: number): void {
      const silentMs = clock.monotonicMs() - shownAtMs;
      shownAtMs = askedAtMs;
      if (silentMs > leaseMs) {
        backSinceMs = clock.monotonicMs();
        isSilent = true;
      }
      // The beat that waited was asked for long ago, so the lease is over until the next one is answered.
      if (!isSilent || clock.monotonicMs() - shownAtMs > leaseMs) return;
      isSilent = false;
      log.warn("the database did not answer in time: nothing was sent until it did", {
        seconds: Math.round(silentMs / 1_000),
      });
    },
    /** The database was away, so the leases of the others are over too: first they may renew them. */
    wasJustOver(): boolean {
      const nowMs = clock.monotonicMs();
      return nowMs - shownAtMs > leaseMs || nowMs - backSinceMs < 2 * beatMs;
    },
  };
}

/**
 * A commit may rightly wait, for a standby that is away. A read waits for nothing, so only it has a limit; also while a
 * beat's commit waits, because the database's machine may be lost just then.
 */
export function answerWatch(
  { database: { watch }, registry, clock }: WatchParts,
  lose: (error: Error) => void,
): () => Promise<void> {
  const limitMs = ANSWER_LEASES * registry.leaseMs;
  return async () => {
    const cancelEnd = clock.setTimer(limitMs, () => lose(new Unanswered(limitMs / 1_000)));
    await watch.read(({ row }) => row("SELECT")).finally(cancelEnd);
  };
}

/** One connection may be lost, and the others not: this process would seem well, and do nothing. */
export function connectionWatch(
  { database: { awaited, watch } }: WatchParts,
  everyMs: number,
  lose: (error: Error) => void,
): () => Promise<void> {
  const longAtWork = async (ms: number): Promise<number> => {
    const found = await watch.read(({ row }) => row<{ n: number }>(LONG_AT_WORK, [ms]));
    return present(found, "count of statements").n;
  };
  return async () => {
    if (await awaited.check(everyMs, longAtWork)) lose(new Unanswered((CHECKS_UNTIL_LOST * everyMs) / 1_000));
  };
}

/** Three to six seconds: a write is over by then. Where many share a transaction, one gives up after eight (`WAIT_SHORTLY`). */
const LOCKED_CHECKS = 2;
const SAY_AGAIN_MS = 60_000;

/**
 * Says who has locked what this node wants to write, as long as it waits: a person who left a transaction open does not know.
 * The connection watch counts the checks.
 */
export function lockWatch({ database: { awaited, watch }, clock, log }: WatchParts): () => Promise<void> {
  const saidAtMs = new Map<number, number>();
  return async () => {
    if (!awaited.hasWaited(LOCKED_CHECKS)) return;
    const nowMs = clock.monotonicMs();
    for (const [pid, atMs] of saidAtMs) if (nowMs - atMs > SAY_AGAIN_MS) saidAtMs.delete(pid);
    const holders = (await watch.read(holdersOfStatements)).filter(({ pid }) => !saidAtMs.has(pid));
    for (const { pid } of holders) saidAtMs.set(pid, nowMs);
    if (holders.length > 0)
      log.warn(
        "the database waits for another program, which has locked rows or tables: end its transaction",
        {
          who: inWords(holders),
        },
      );
  };
}

/** The newest number of a run that the database gave. */
export function numberWatch({ record, seen, log }: WatchParts) {
  let newest = seen.number;
  let kept = newest;
  let isTroubled = false;
  return {
    /** @throws WentBack where it is an older one */
    saw(number: number): void {
      if (number <= newest) throw new WentBack();
      newest = number;
    },
    /** Writes it down. */
    async keep(): Promise<void> {
      if (kept === newest) return;
      const number = newest;
      try {
        await record.keep({ place: seen.place, number });
        kept = number;
        isTroubled = false;
      } catch (error) {
        if (!isTroubled)
          log.warn("what this server has seen of the database cannot be written down", { error });
        isTroubled = true;
      }
    },
  };
}

/** More than the way to the database takes, also on a busy machine. */
const CLOCKS_APART_MS = 10_000;

/**
 * Says once when the clocks of this machine and of the database part. Leases do not mind; but a schedule begins when the
 * first node finds that its time has come.
 */
export function clockWatch(
  { now, monotonicMs }: Clock,
  log: Log,
): (databaseNow: Instant, askedAtMs: number) => void {
  let wasApart = false;
  return (databaseNow, askedAtMs) => {
    // An answer that was long on its way, or that this process has slept over, shows a time that is past.
    const lateMs = monotonicMs() - askedAtMs;
    const aheadMs = now() - databaseNow;
    const apartMs = aheadMs > 0 ? Math.max(0, aheadMs - lateMs) : aheadMs;
    const isApart = Math.abs(apartMs) > CLOCKS_APART_MS;
    if (isApart && !wasApart)
      log.warn("the clock of this machine is not the database's: schedules and quiet hours go by it", {
        seconds: Math.round(apartMs / 1_000),
      });
    wasApart = isApart;
  };
}
