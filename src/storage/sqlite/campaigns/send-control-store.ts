import type { Database } from "bun:sqlite";
import {
  checkAction,
  type SendAction,
  type SendControlStore,
  type StoppedSend,
} from "#campaigns/send/send-control.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { Instant } from "#core/time/clock.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { inATurnUnless } from "#storage/sqlite/engine/writes/in-slices.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { sendPhase } from "#storage/common/campaigns/send-phase.ts";
import { ledgerMoves } from "#storage/sqlite/ledger/moves/ledger-moves.ts";
import type { OuterRow, Row, Value } from "#storage/sqlite/schema/row.ts";
import type { campaigns, mailings, workspaces } from "#storage/sqlite/schema/schema.ts";
import { campaignSends } from "./campaign-sends.ts";
import { planAudiences } from "#storage/sqlite/campaigns/plan/plan-audience.ts";
import { forgetExclusions, hasManyExclusions } from "#storage/sqlite/campaigns/plan/plan-exclusions.ts";

type FoundRow = Row<typeof campaigns, "seq" | "status" | "paused"> &
  OuterRow<typeof mailings, "phase"> & { number: Value<typeof mailings, "seq"> | null };

type StoppedRow = { number: Value<typeof mailings, "seq">; campaignId: Value<typeof campaigns, "id"> };

type MayPauseRow = { workspaceId: Value<typeof workspaces, "id">; campaignId: Value<typeof campaigns, "id"> };

/** How many rows the transaction of the stop itself skips: so a small send is over when it is answered. */
const ROWS_AT_ONCE = 100;

export function sendControlStore(database: SqliteDatabase, seqOf: WorkspaceSeq): SendControlStore {
  const { sqlite, writes } = database;
  const find = finding(sqlite);
  const marks = pauseMarks(sqlite);
  const { skipStopped } = ledgerMoves(sqlite);
  const stopped = sqlite.query<StoppedRow, []>(
    `SELECT m.seq AS number, c.id AS campaignId FROM mailings m JOIN campaigns c ON c.mailing = m.seq
     WHERE m.phase = 'stopped' AND m.queued > 0 ORDER BY m.seq`,
  );

  /** Finds the campaign and asks the rule; `act` runs in the same transaction. */
  const acting = <T>(
    action: SendAction,
    workspaceId: string,
    id: string,
    act: (row: FoundRow) => T,
  ): Promise<Result<T> | null> =>
    writes.write((): Result<T> | null => {
      const found = checked(action, find(seqOf(workspaceId), id));
      return found?.ok === true ? accept(act(found.value)) : found;
    });

  return {
    ...selfPausing(database, seqOf),

    pause: (workspaceId, id, why) =>
      acting("pause", workspaceId, id, (row) => {
        marks.set(row, why);
        return "done" as const;
      }),

    resume: (workspaceId, id) =>
      acting("resume", workspaceId, id, (row) => {
        marks.clear(row);
        return "done" as const;
      }),

    async stop(workspaceId, id, now) {
      const workspace = seqOf(workspaceId);
      const slices: Slices<Result<StoppedSend> | null> = (connection) =>
        stopping(connection)(workspace, id, now);
      const isLong = (): boolean => {
        const number = find(workspace, id)?.number ?? null;
        return number !== null && hasManyExclusions(sqlite, number);
      };
      return await inATurnUnless(database, isLong, slices);
    },

    skipOwed: (mailing, rowsMax, now) => writes.write(() => skipStopped(mailing, rowsMax, now)),

    stopped: async () => stopped.all(),
  };
}

/** A campaign is paused automatically only once. */
function selfPausing(
  { sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<SendControlStore, "mayPauseThemselves" | "pauseItself"> {
  const find = finding(sqlite);
  const marks = pauseMarks(sqlite);
  const mayPause = sqlite.query<MayPauseRow, []>(
    `SELECT w.id AS workspaceId, c.id AS campaignId FROM mailings m JOIN campaigns c ON c.mailing = m.seq
     JOIN workspaces w ON w.seq = m.workspace
     WHERE m.phase = 'sending' AND m.kind = 'campaign' AND m.held = 0 AND m.queued > 0 AND c.auto_paused = 0`,
  );
  const markItself = sqlite.query<null, [number]>(
    "UPDATE campaigns SET auto_paused = 1 WHERE seq = ? AND auto_paused = 0",
  );

  return {
    mayPauseThemselves: async () => mayPause.all(),

    pauseItself: (workspaceId, id, why) =>
      writes.write(() => {
        const row = find(seqOf(workspaceId), id);
        if (row === null || row.phase !== "sending" || markItself.run(row.seq).changes === 0) return;
        marks.set(row, why);
      }),
  };
}

/** The campaign, if the rule allows the action. */
function checked(action: SendAction, row: FoundRow | null): Result<FoundRow> | null {
  if (row === null) return null;
  const { status, phase, paused } = row;
  const refusal = checkAction(action, { status, phase: sendPhase(phase), isPaused: paused !== null });
  return refusal === null ? accept(row) : { ok: false, refusal };
}

function finding(sqlite: Database): (workspace: number, id: string) => FoundRow | null {
  const find = sqlite.query<FoundRow, [string, number]>(
    `SELECT c.seq, c.status, c.paused, m.seq AS number, m.phase FROM campaigns c
     LEFT JOIN mailings m ON m.kind = 'campaign' AND m.source_id = c.id WHERE c.id = ? AND c.workspace = ?`,
  );
  return (workspace, id) => find.get(id, workspace);
}

/** Marks a pause: the reason in the campaign, and in its mailing the bit that the sender reads. */
function pauseMarks(sqlite: Database) {
  const setWhy = sqlite.query<null, [string, number]>(
    "UPDATE campaigns SET paused = coalesce(paused, ?) WHERE seq = ?",
  );
  const hold = sqlite.query<null, [number | null]>(
    `UPDATE mailings SET held = held | ${HELD.pause} WHERE seq = ?`,
  );
  const clearWhy = sqlite.query<null, [number]>("UPDATE campaigns SET paused = NULL WHERE seq = ?");
  const letGo = sqlite.query<null, [number | null]>(
    `UPDATE mailings SET held = held & ~${HELD.pause} WHERE seq = ?`,
  );
  return {
    set({ seq, number }: FoundRow, why: string): void {
      setWhy.run(why, seq);
      hold.run(number);
    },
    clear({ seq, number }: FoundRow): void {
      clearWhy.run(seq);
      letGo.run(number);
    },
  };
}

/**
 * The transaction of a stop, in slices. A send that is being planned has reserved nothing. Its campaign is
 * frozen now, as if the plan were complete.
 */
const stopping = oncePerDatabase((sqlite) => {
  const find = finding(sqlite);
  const sends = campaignSends(sqlite);
  const { skipStopped } = ledgerMoves(sqlite);
  const stopPlan = sqlite.query<null, [number]>(
    "UPDATE mailings SET phase = 'stopped' WHERE seq = ? AND phase = 'planning'",
  );
  const audiences = planAudiences(sqlite);
  const endHolds = sqlite.query<null, [number]>("UPDATE mailings SET held = 0 WHERE seq = ?");
  const freeze = sqlite.query<null, [number, number]>(
    "UPDATE campaigns SET mailing = ?, blocked = NULL, next_try_at = NULL, held = 0, paused = NULL WHERE seq = ?",
  );
  return function* (
    workspace: number,
    id: string,
    now: Instant,
  ): Generator<void, Result<StoppedSend> | null, void> {
    const found = checked("stop", find(workspace, id));
    if (found?.ok !== true) return found;
    const { seq, phase, number: mailing } = found.value;
    const number = present(mailing, "mailing of a send");
    if (phase !== "stopped") {
      sends.stop(id);
      for (const statement of [stopPlan, endHolds]) statement.run(number);
      audiences.forget(number);
      freeze.run(number, seq);
      yield* forgetExclusions(sqlite, number);
    }
    skipStopped(number, ROWS_AT_ONCE, now);
    return accept({ number, campaignId: id });
  };
});
