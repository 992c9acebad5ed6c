import { checkAction, type SendAction, type SendControlStore } from "#campaigns/send/send-control.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { sendPhase } from "#storage/common/campaigns/send-phase.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { finishEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import { skipStopped } from "#storage/postgres/ledger/moves/stopped-rows.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { campaigns, mailings, workspaces } from "#storage/postgres/schema/schema.ts";
import { lockMailing, stopSending, type CampaignMailing } from "./campaign-sends.ts";
import { forgetPlan } from "#storage/postgres/campaigns/plan/plan-rows.ts";

type Sent = {
  readonly campaign: Row<typeof campaigns, "seq" | "status" | "paused">;
  readonly mailing: CampaignMailing | null;
};

type StoppedRow = { number: Value<typeof mailings, "seq">; campaignId: Value<typeof campaigns, "id"> };

type MayPauseRow = { workspaceId: Value<typeof workspaces, "id">; campaignId: Value<typeof campaigns, "id"> };

const LOCK_CAMPAIGN =
  "SELECT seq, status, paused FROM campaigns WHERE workspace = $1 AND id = $2 FOR NO KEY UPDATE";
const OWES = "EXISTS (SELECT FROM tallies AS t WHERE t.mailing = m.seq HAVING sum(t.queued) > 0)";
const STOPPED = `SELECT m.seq AS number, c.id AS campaign_id FROM mailings AS m JOIN campaigns AS c ON c.mailing = m.seq
  WHERE m.phase = 'stopped' AND ${OWES} ORDER BY m.seq`;
const MAY_PAUSE = `SELECT w.id AS workspace_id, c.id AS campaign_id FROM mailings AS m
    JOIN campaigns AS c ON c.mailing = m.seq JOIN workspaces AS w ON w.seq = m.workspace
  WHERE m.phase = 'sending' AND m.kind = 'campaign' AND m.held = 0 AND NOT c.auto_paused AND ${OWES} ORDER BY m.seq`;
const MARK_ITSELF = "UPDATE campaigns SET auto_paused = true WHERE seq = $1 AND NOT auto_paused";
const SET_WHY = "UPDATE campaigns SET paused = coalesce(paused, $2) WHERE seq = $1";
const HOLD = `UPDATE mailings SET held = held | ${HELD.pause} WHERE seq = $1`;
const CLEAR_WHY = "UPDATE campaigns SET paused = NULL WHERE seq = $1";
const LET_GO = `UPDATE mailings SET held = held & ~${HELD.pause} WHERE seq = $1`;
const END_SEND = "UPDATE mailings SET phase = 'stopped', held = 0 WHERE seq = $1";
const FREEZE = `UPDATE campaigns SET mailing = $2, blocked = NULL, next_try_at = NULL, held = false, paused = NULL
  WHERE seq = $1`;

export function sendControlStore(database: PostgresDatabase): SendControlStore {
  const { read, write } = database;

  const skipOwed: SendControlStore["skipOwed"] = async (mailing, _rowsMax, now) => {
    const left = await write((tx) => skipStopped(tx, mailing, now));
    await finishEmptied(database, [mailing], now);
    return left;
  };

  return {
    ...pausing(database),
    ...selfPausing(database),

    async stop(workspaceId, id, now) {
      const stopped = await acting(database, { action: "stop", workspaceId, id }, async (tx, sent) => {
        const mailing = present(sent.mailing, "mailing of a send");
        if (mailing.phase !== "stopped") await stop(tx, sent.campaign.seq, mailing);
        return { number: mailing.seq, campaignId: id };
      });
      // In a separate transaction, which locks messages before their mailing. So a small send is over when this is
      // answered.
      if (stopped?.ok) await skipOwed(stopped.value.number, 0, now);
      return stopped;
    },

    skipOwed,

    stopped: () => read(({ rows }) => rows<StoppedRow>(STOPPED)),
  };
}

type Asked = { readonly action: SendAction; readonly workspaceId: string; readonly id: string };

/** Locks the campaign and its mailing and asks the rule; `act` runs in the same transaction. */
async function acting<T>(
  { write, seqOf }: PostgresDatabase,
  { action, workspaceId, id }: Asked,
  act: (tx: Session, sent: Sent) => Promise<T>,
): Promise<Result<T> | null> {
  const workspace = await seqOf(workspaceId);
  return await write(async (tx): Promise<Result<T> | null> => {
    const sent = await lockSend(tx, workspace, id);
    if (sent === null) return null;
    const { status, paused } = sent.campaign;
    const state = { status, phase: sendPhase(sent.mailing?.phase ?? null), isPaused: paused !== null };
    const refusal = checkAction(action, state);
    return refusal === null ? accept(await act(tx, sent)) : { ok: false, refusal };
  });
}

async function lockSend(tx: Session, workspace: number, id: string): Promise<Sent | null> {
  const mailing = await lockMailing(tx, workspace, id);
  const campaign = await tx.row<Sent["campaign"]>(LOCK_CAMPAIGN, [workspace, id]);
  return campaign && { campaign, mailing };
}

function pausing(database: PostgresDatabase): Pick<SendControlStore, "pause" | "resume"> {
  return {
    pause: (workspaceId, id, why) =>
      acting(database, { action: "pause", workspaceId, id }, async (tx, sent) => {
        await mark(tx, sent, why);
        return "done" as const;
      }),

    resume: (workspaceId, id) =>
      acting(database, { action: "resume", workspaceId, id }, async (tx, { campaign, mailing }) => {
        await tx.run(CLEAR_WHY, [campaign.seq]);
        if (mailing !== null) await tx.run(LET_GO, [mailing.seq]);
        return "done" as const;
      }),
  };
}

/** A campaign is paused automatically only once. */
function selfPausing({
  read,
  write,
  seqOf,
}: PostgresDatabase): Pick<SendControlStore, "mayPauseThemselves" | "pauseItself"> {
  return {
    mayPauseThemselves: () => read(({ rows }) => rows<MayPauseRow>(MAY_PAUSE)),

    async pauseItself(workspaceId, id, why) {
      const workspace = await seqOf(workspaceId);
      await write(async (tx) => {
        const sent = await lockSend(tx, workspace, id);
        if (sent?.mailing?.phase !== "sending") return;
        if ((await tx.run(MARK_ITSELF, [sent.campaign.seq])) > 0) await mark(tx, sent, why);
      });
    },
  };
}

/** Marks a pause: the reason in the campaign, and in its mailing the bit that the sender reads. */
async function mark(tx: Session, { campaign, mailing }: Sent, why: string): Promise<void> {
  await tx.run(SET_WHY, [campaign.seq, why]);
  if (mailing !== null) await tx.run(HOLD, [mailing.seq]);
}

/** A send that is being planned has reserved nothing. Its campaign is frozen now, as if the plan were complete. */
async function stop(tx: Session, campaign: number, mailing: CampaignMailing): Promise<void> {
  await stopSending(tx, mailing);
  await tx.run(END_SEND, [mailing.seq]);
  await forgetPlan(tx, mailing.seq);
  await tx.run(FREEZE, [campaign, mailing.seq]);
}
