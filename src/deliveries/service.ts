/**
 * The sender: takes owed messages of every mailing under way, fairly by workspace, and keeps each relay as busy as it may
 * be. It never idles while something is due and a relay takes mail; it is woken by the scheduler and by whoever adds work.
 */
import type { Clock, Instant } from "#core/clock.ts";
import { sleep } from "#core/clock.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { Lane, Lease, RelayGroup } from "#mail/relay-group.ts";
import { attempt, type Ending } from "./attempt.ts";
import { Feed } from "./feed.ts";
import type { Outcome, OwedMessage } from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";
import { RefusalCount } from "./refusal-count.ts";
import type { LedgerStore, MailingUnderWay } from "./store.ts";
import type { StrikeKind } from "./strikes.ts";

/** A letter ready to be addressed. Composing says what went wrong instead of throwing. */
export type Letter = {
  readonly envelopeSender: string;
  compose(message: OwedMessage, date: Instant): { bytes: Uint8Array | string } | { problem: string };
};

export type SenderParts = {
  readonly ledger: LedgerStore;
  readonly run: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The letter of a mailing, compiled; called once while it is under way. */
  letterOf(mailing: MailingUnderWay): Promise<Letter>;
  /** The relays a workspace sends through, or why it may not send now. Asked at every batch. */
  relaysOf(workspaceId: string): Promise<RelayGroup | { blocked: string }>;
};

/** What cannot be written is tried again this often (disk full). */
const WRITE_RETRY_MS = 1_000;

type Work = { readonly feed: Feed; readonly letter: Letter; relays: RelayGroup | { blocked: string }; servedAt: number };

export type Sender = ReturnType<typeof createSender>;

const laneOf = (kind: MailKind): Lane => (kind === "campaign" || kind === "automation" ? "bulk" : "prompt");

export function createSender(parts: SenderParts) {
  const { ledger, clock, log } = parts;
  const works = new Map<number, Work>();
  const underWay = new Set<Promise<void>>();
  const refusals = new RefusalCount();
  let stopping = false;
  let pausedForWrites = false;
  let turn = 0;
  let pumping = false;
  let pumpAgain = false;

  /** Takes up mailings that became sendable, lets go of those that are no longer, and looks at retries that are due. */
  const lookForMailings = async (): Promise<void> => {
    const sendable = await ledger.sendable();
    const numbers = new Set(sendable.map(({ number }) => number));
    for (const [number, work] of works) if (!numbers.has(number) && work.feed.inFlight === 0) works.delete(number);
    for (const mailing of sendable) {
      // One mailing that cannot be taken up must not keep the others back.
      await takeUp(mailing).catch((error: unknown) => log.error("a mailing cannot be taken up", { mailing: mailing.number, error }));
    }
  };

  const takeUp = async (mailing: MailingUnderWay): Promise<void> => {
    const relays = await parts.relaysOf(mailing.workspaceId);
    const known = works.get(mailing.number);
    if (known) {
      known.relays = relays;
      known.feed.lookAgain();
      return;
    }
    const letter = await parts.letterOf(mailing);
    works.set(mailing.number, { feed: new Feed(mailing, ledger, clock), letter, relays, servedAt: 0 });
  };

  /** One look at a time: two would take the same mailing up twice. */
  let looking = Promise.resolve();
  const refresh = (): Promise<void> => (looking = looking.then(lookForMailings));

  /** Mailings that may be worked on, the workspace that waited longest first. */
  const inTurn = (): Work[] => {
    const servedAt = new Map<string, number>();
    for (const { feed, servedAt: at } of works.values()) {
      const { workspaceId } = feed.mailing;
      servedAt.set(workspaceId, Math.max(servedAt.get(workspaceId) ?? 0, at));
    }
    const ofWorkspace = (work: Work): number => servedAt.get(work.feed.mailing.workspaceId)!;
    return [...works.values()].toSorted((a, b) => ofWorkspace(a) - ofWorkspace(b) || a.servedAt - b.servedAt);
  };

  /** Starts one message if there is one and a connection for it. */
  const startNext = async (): Promise<boolean> => {
    for (const work of works.size === 1 ? works.values() : inTurn()) {
      if ("blocked" in work.relays || !(await work.feed.isReady())) continue;
      const lane = laneOf(work.feed.mailing.kind);
      const lease = work.relays.lease(lane);
      if ("session" in lease) {
        work.servedAt = ++turn;
        start(work, work.relays, lane, lease, work.feed.take());
        return true;
      }
      if (lease.retryAt !== null) wakeAt(lease.retryAt);
    }
    return false;
  };

  const pump = async (): Promise<void> => {
    if (pumping) {
      pumpAgain = true;
      return;
    }
    pumping = true;
    try {
      do {
        pumpAgain = false;
        while (!stopping && !pausedForWrites && (await startNext()));
      } while (pumpAgain);
    } finally {
      pumping = false;
    }
  };

  const start = (work: Work, relays: RelayGroup, lane: Lane, lease: Lease, message: OwedMessage): void => {
    const run = deliver(work, lease, relays, message)
      .catch((error: unknown) => pauseForWrites(work, message, error))
      .finally(() => {
        relays.giveBack(lease, lane);
        underWay.delete(run);
        void pump();
      });
    underWay.add(run);
  };

  const deliver = async (work: Work, lease: Lease, relays: RelayGroup, message: OwedMessage): Promise<void> => {
    const { feed, letter } = work;
    const startedAt = clock.now();
    if ((await ledger.skipIfBarred(message.number, startedAt)) !== "owed") return feed.done(message);
    const composed = letter.compose(message, message.firstAttemptAt ?? startedAt);
    if ("problem" in composed) {
      log.error("a message cannot be composed", { message: message.number, problem: composed.problem });
      return record(feed, message, { state: "failed", reason: "CANNOT_BE_COMPOSED", reply: null }, null);
    }
    const ending = await attempt({
      session: lease.session,
      reused: lease.reused,
      kind: feed.mailing.kind,
      message,
      envelopeSender: letter.envelopeSender,
      bytes: composed.bytes,
      startedAt,
      clock,
      random: parts.random,
      claimDot: async () => !stopping && (await ledger.claimDot(message.number, parts.run, startedAt)) === "dot",
    });
    conclude(feed, lease, relays, message, ending);
  };

  const conclude = (feed: Feed, lease: Lease, relays: RelayGroup, message: OwedMessage, ending: Ending): void => {
    if (ending.kind === "barred") return stopping ? feed.putBack(message) : feed.done(message);
    if (ending.kind === "settled") {
      if (ending.outcome.state === "sent") {
        relays.accepted(lease);
        refusals.accepted();
      }
      refusals.forget(message.number);
      return record(feed, message, ending.outcome, ending.strike);
    }
    if (ending.trouble) {
      relays.inTrouble(lease, ending.trouble.kind, ending.trouble.detail);
      log.warn("relay trouble", { relay: lease.relay.label, ...ending.trouble });
      if (ending.refused && refusals.isItsOwnFault(message.number)) {
        return record(feed, message, { state: "failed", reason: "REFUSED_BY_RELAY", reply: ending.refused }, null);
      }
    }
    if (ending.atDot) return record(feed, message, { state: "untouched", reply: ending.refused }, null);
    feed.putBack(message);
  };

  /** Recorded without anyone waiting: a later dot of this connection is committed after it, never before. */
  const record = (feed: Feed, message: OwedMessage, outcome: Outcome, strike: StrikeKind | null): void => {
    const run = settle(message, outcome, strike).then(() => {
      if (outcome.state === "untouched") feed.putBack(message);
      else feed.done(message);
      underWay.delete(run);
      void pump();
    });
    underWay.add(run);
  };

  /** An outcome that cannot be written is kept and tried again for as long as the process lives. */
  const settle = async (message: OwedMessage, outcome: Outcome, strike: StrikeKind | null): Promise<void> => {
    for (;;) {
      try {
        return await ledger.settle(message.number, outcome, clock.now(), strike);
      } catch (error) {
        log.error("an outcome cannot be recorded yet", { message: message.number, error });
        if (stopping) return;
        await sleep(clock, WRITE_RETRY_MS);
      }
    }
  };

  /** No commit, no dot: everything stops for a moment, and goes on by itself once writing works. */
  const pauseForWrites = (work: Work, message: OwedMessage, error: unknown): void => {
    log.error("sending pauses: the database cannot be written", { error });
    work.feed.putBack(message);
    if (pausedForWrites) return;
    pausedForWrites = true;
    clock.setTimer(WRITE_RETRY_MS, () => {
      pausedForWrites = false;
      void pump();
    });
  };

  let alarm: { at: Instant; cancel: () => void } | null = null;
  const wakeAt = (at: Instant): void => {
    if (alarm && alarm.at <= at) return;
    alarm?.cancel();
    const cancel = clock.setTimer(Math.max(0, at - clock.now()), () => {
      alarm = null;
      void pump();
    });
    alarm = { at, cancel };
  };

  return {
    /** Looks for work: mailings that became due, retries whose time has come, settings that changed. */
    async wake(): Promise<void> {
      if (stopping) return;
      await refresh();
      await pump();
    },

    /** True while messages of the mailing are on their way, or could be started now. */
    isActive(mailing: number): boolean {
      const work = works.get(mailing);
      if (!work) return false;
      if (work.feed.inFlight > 0) return true;
      return !work.feed.isIdle && !("blocked" in work.relays) && !work.relays.held && !pausedForWrites && !stopping;
    },

    /** Why a mailing that is under way does not move; null when it does. */
    blockedBy(mailing: number): string | null {
      const work = works.get(mailing);
      if (!work) return null;
      if ("blocked" in work.relays) return work.relays.blocked;
      if (pausedForWrites) return "The database cannot be written.";
      const [trouble] = work.relays.troubles();
      return trouble && work.relays.held ? `${trouble.relay}: ${trouble.trouble}` : null;
    },

    /** No new dots; those on their way may finish for `graceMs`. Rows left at their dot are `uncertain` at the next start. */
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      alarm?.cancel();
      await Promise.race([Promise.allSettled([...underWay]).then(() => Promise.allSettled([...underWay])), sleep(clock, graceMs)]);
    },
  };
}
