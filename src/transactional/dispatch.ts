/** A committed request on its way: its messages are sent, tried again, given up, and the request is concluded. */
import type { Clock } from "#core/clock.ts";
import type { Sender } from "#deliveries/sender/sender.ts";
import type { Log } from "#log.ts";
import { isSettled, nobodyGotIt, sendAnswer, type SendRow } from "./answer.ts";
import { newBell, type Bell, type Signal } from "./bell.ts";
import type { RequestLetter } from "./letter.ts";
import type { Conclusion, SendStore, Underway } from "./store.ts";

/**
 * So long a refusal for now and an unreachable relay are tried again (docs/decisions.md "Transactional send"), from the moment each of the request's
 * messages has had its first try.
 */
const TRY_FOR_MS = 10_000;
/** So long the messages of a request wait for their turn at the relay's connections. A burst is a queue, and no refusal. */
const QUEUE_FOR_MS = 20_000;
/** So much longer a message that stands at its dot may take until the answer calls it UNCERTAIN. */
const DOT_GRACE_MS = 10_000;

export type DispatchParts = {
  readonly sends: Pick<SendStore, "conclude" | "giveUp">;
  readonly sender: Pick<Sender, "begin">;
  /** The server ends: nothing is tried any more, and who stands at a dot may finish. */
  readonly stopping: Signal;
  readonly clock: Clock;
  readonly log: Log;
};

/** Resolves within 40 s: 20 in the queue, 10 of trying, 10 at the dot. Rejects when the database cannot be written to the end: the key then stays closed. */
export async function dispatch(
  parts: DispatchParts,
  send: Underway,
  letter: RequestLetter,
): Promise<Conclusion> {
  const { sends, sender, stopping, clock } = parts;
  const bell = newBell();
  const mailing = {
    number: send.mailing,
    workspaceId: send.workspaceId,
    sourceId: send.id,
    kind: "transactional",
  } as const;
  const tryEnd = tryLimit(send.owed, clock, bell);
  const watching = { onStarted: tryEnd.started, onSettled: bell.ring };
  const ends = [sender.begin(mailing, letter, watching), stopping.listen(bell.ring), tryEnd.cancel];
  if (send.owed === 0) bell.ring();
  try {
    const inTime = await concludeBefore(() => stopping.isGiven || tryEnd.isOver(), parts, send, letter, bell);
    if (inTime) return inTime;
    const why = stopping.isGiven ? "SERVER_STOPPED" : tryEnd.isTried ? "RELAY_UNAVAILABLE" : "RELAY_BUSY";
    await sends.giveUp(send.mailing, why, clock.now());
    bell.ring();
    const dotEnd = timeLimit(DOT_GRACE_MS, clock, bell);
    ends.push(dotEnd.cancel);
    return (
      (await concludeBefore(dotEnd.isOver, parts, send, letter, bell)) ??
      (await conclude(parts, send, letter, () => true))!
    );
  } finally {
    for (const end of ends) end();
  }
}

/**
 * The conclusion once every row is settled; null when the time is over first. It is asked for whenever an outcome waits for
 * its commit, and so shares that.
 */
async function concludeBefore(
  isOver: () => boolean,
  parts: DispatchParts,
  send: Underway,
  letter: RequestLetter,
  bell: Bell,
): Promise<Conclusion | null> {
  for (;;) {
    await bell.next();
    const conclusion = await conclude(parts, send, letter, (rows) => rows.every(isSettled)).catch(
      (error: unknown) => {
        // The outcome cannot be written either; the bell rings again once it can.
        parts.log.warn("a request cannot be concluded yet", { send: send.id, error });
        return null;
      },
    );
    if (conclusion !== null || isOver()) return conclusion;
  }
}

const conclude = (
  { sends }: DispatchParts,
  send: Underway,
  letter: RequestLetter,
  isEnd: (rows: readonly SendRow[]) => boolean,
): Promise<Conclusion | null> =>
  sends.conclude(send, (rows) => {
    if (!isEnd(rows)) return null;
    const answer = sendAnswer(send.id, rows, letter.messageIdOf);
    return { answer, isKeyFree: nobodyGotIt(answer) };
  });

/** Counts the messages that were tried: first the queue's limit runs, and once every one was tried, that of trying again. */
function tryLimit(owed: number, clock: Clock, bell: Bell) {
  const tried = new Set<number>();
  let limit = timeLimit(QUEUE_FOR_MS, clock, bell);
  let isTried = false;
  return {
    started(message: number): void {
      tried.add(message);
      if (isTried || tried.size < owed || limit.isOver()) return;
      isTried = true;
      limit.cancel();
      limit = timeLimit(TRY_FOR_MS, clock, bell);
    },
    get isTried() {
      return isTried;
    },
    isOver: () => limit.isOver(),
    cancel: () => limit.cancel(),
  };
}

function timeLimit(limitMs: number, clock: Clock, bell: Bell): { isOver: () => boolean; cancel: () => void } {
  let isOver = false;
  const cancel = clock.setTimer(limitMs, () => {
    isOver = true;
    bell.ring();
  });
  return { isOver: () => isOver, cancel };
}
