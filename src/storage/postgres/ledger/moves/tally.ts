/**
 * The moves of the ledger (deliveries/moves/) as statements, in an open transaction. Each names the state it leaves,
 * and the mailing's numbers are written with the row.
 */
import { present } from "#core/present.ts";
import { countMove, newAccount, type Account } from "#deliveries/moves/account.ts";
import type { Move } from "#deliveries/moves/move.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { activityWrites, campaignActivity } from "#storage/postgres/stats/activity-writes.ts";
import {
  messageOutbox,
  type MessageOutbox,
  type ToldMessage,
} from "#storage/postgres/webhooks/message-outbox.ts";
import { writeMoves, type Moment, type MoveMade } from "./move-writes.ts";
import { giveBackUsage } from "#storage/postgres/ledger/sending-usage.ts";
import type { MessageRow } from "./ledger-rows.ts";

/** Moves of one transaction. Nothing is written before `book`. */
export type Tally = {
  /**
   * Moves a row, which the transaction has locked, along one transition, and changes `row` too. The reservation of a
   * message that will never be sent is given back, once.
   */
  move(row: MessageRow, move: Move, at: Moment): void;
  /**
   * Writes all of it. Returns the mailings that owe less than before: once the transaction is committed, those that
   * owe nothing more are finished (`finishEmptied`).
   */
  book(): Promise<readonly number[]>;
};

type News = {
  readonly row: ToldMessage & Pick<MessageRow, "workspace">;
  readonly move: Move;
  readonly at: number;
};

export function newTally(tx: Session): Tally {
  const accounts = new Map<number, Account>();
  const reasons = reasonCounts();
  const activity = activityWrites(tx);
  const timeline = campaignActivity(tx);
  /** If a row moves twice, its second move is in the next step. */
  const steps: Map<number, MoveMade>[] = [];
  const news: News[] = [];

  return {
    move(row, move, at) {
      const { to } = move;
      const { seq, mailing, workspace, kind, isTest, state, reason, address, contactId } = row;
      const step = steps.find((one) => !one.has(seq)) ?? new Map<number, MoveMade>();
      if (step.size === 0) steps.push(step);
      step.set(seq, { seq, mailing, workspace, kind, isTest, state, reason, move, at });
      const account = accounts.get(mailing) ?? newAccount();
      accounts.set(mailing, account);
      countMove(account, row, to);
      reasons.count(row, move);
      if ((to === "sent" || to === "bounced") && !isTest) {
        const isBouncedLater = to === "bounced" && state === "sent";
        activity.add(workspace, at.now, to);
        if (isBouncedLater && row.settledAt !== null) activity.add(workspace, row.settledAt, "returned");
        if (kind === "campaign") timeline.add(mailing, at.now, to);
        if (kind === "campaign" && isBouncedLater) timeline.add(mailing, at.now, "bouncedLater");
      }
      if (!isTest) news.push({ row: { seq, mailing, workspace, address, contactId }, move, at: at.now });
      if (state !== "sent") row.settledAt = to === "queued" || to === "dot" ? null : at.now;
      row.state = to;
      row.reason = move.reason ?? null;
    },

    async book() {
      for (const step of steps) await writeMoves(tx, [...step.values()]);
      const outbox = messageOutbox(tx);
      for (const { row, move, at } of news) await tell(outbox, row, move, at);
      await outbox.book();
      const changed = [...accounts].toSorted(([a], [b]) => a - b);
      // Before the numbers: who sends for an automation locks the usage first too, so there are no deadlocks.
      await giveBackUsage(tx, new Map(changed.map(([mailing, { freed }]) => [mailing, freed])));
      for (const [mailing, account] of changed) await countIn(tx, mailing, account);
      await Promise.all([reasons.book(tx), activity.book(), timeline.book()]);
      return changed.filter(([, { queued, dot }]) => queued + dot < 0).map(([mailing]) => mailing);
    },
  };
}

/** One move and its booking. */
export async function moveOne(
  tx: Session,
  row: MessageRow,
  move: Move,
  now: number,
): Promise<readonly number[]> {
  const tally = newTally(tx);
  tally.move(row, move, { now });
  return await tally.book();
}

/** What webhooks are sent. UNCERTAIN is not final, so they get nothing. */
async function tell(
  outbox: MessageOutbox,
  row: News["row"],
  { to, reason }: Move,
  now: number,
): Promise<void> {
  const message = (): ToldMessage => row;
  if (to === "sent") await outbox.add("email.sent", row.workspace, now, message);
  if (to === "bounced")
    await outbox.add("email.bounced", row.workspace, now, message, { reason: reason ?? null });
  if (to === "failed") await outbox.add("email.failed", row.workspace, now, message);
}

/** This many transactions can count for the same mailing without waiting for each other. */
const SLOTS = 16;

const COUNT = `INSERT INTO tallies AS t (mailing, slot, queued, dot, sent, bounced, failed, uncertain, skipped, accepted, planned)
  VALUES ($1, pg_backend_pid() % ${SLOTS}, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (mailing, slot) DO UPDATE SET planned = t.planned + excluded.planned, queued = t.queued + excluded.queued, dot = t.dot + excluded.dot,
    sent = t.sent + excluded.sent, bounced = t.bounced + excluded.bounced, failed = t.failed + excluded.failed,
    uncertain = t.uncertain + excluded.uncertain, skipped = t.skipped + excluded.skipped,
    accepted = t.accepted + excluded.accepted`;

/** Adds to a mailing's numbers. Call it in the order of the mailings. `planned`: how many rows are new. */
export async function countIn(tx: Session, mailing: number, account: Account, planned = 0): Promise<void> {
  const { queued, dot, sent, bounced, failed, uncertain, skipped, accepted } = account;
  await tx.run(COUNT, [mailing, queued, dot, sent, bounced, failed, uncertain, skipped, accepted, planned]);
}

const COUNT_REASONS = `INSERT INTO mailing_reasons (mailing, state, reason, n)
  SELECT * FROM unnest($1::int8[], $2::text[], $3::text[], $4::int8[])`;
const COUNT_SKIPS = `INSERT INTO mailing_skips (mailing, reason, n)
  SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[])`;

type Counted = { readonly mailing: number; readonly state: string; readonly reason: string; n: number };

/** Why the rows of mailings are in their states. Skipped rows are counted separately, and never change back. */
function reasonCounts() {
  const counted = new Map<string, Counted>();
  const add = (mailing: number, state: string, reason: string | null, n: number): void => {
    if (reason === null) return;
    const key = `${mailing} ${state} ${reason}`;
    const known = counted.get(key) ?? { mailing, state, reason, n: 0 };
    known.n += n;
    counted.set(key, known);
  };
  return {
    count({ mailing, state, reason }: MessageRow, move: Move): void {
      if (state !== "skipped") add(mailing, state, reason, -1);
      const why = move.reason ?? null;
      add(mailing, move.to, move.to === "skipped" ? present(why, "reason of a skip") : why, 1);
    },
    async book(tx: Session): Promise<void> {
      const changed = [...counted.values()].filter(({ n }) => n !== 0);
      const column = <K extends keyof Counted>(rows: readonly Counted[], name: K) =>
        rows.map((row) => row[name]);
      const skips = changed.filter(({ state }) => state === "skipped");
      const others = changed.filter(({ state }) => state !== "skipped");
      if (skips.length > 0)
        await tx.run(COUNT_SKIPS, [column(skips, "mailing"), column(skips, "reason"), column(skips, "n")]);
      if (others.length > 0)
        await tx.run(COUNT_REASONS, [
          column(others, "mailing"),
          column(others, "state"),
          column(others, "reason"),
          column(others, "n"),
        ]);
    },
  };
}
