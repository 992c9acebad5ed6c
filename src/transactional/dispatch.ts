/** A committed request on its way: its messages are sent, tried again, given up, and the request is concluded. */
import type { Clock } from "#core/clock.ts";
import type { Sender } from "#deliveries/service.ts";
import type { Log } from "#log.ts";
import { isSettled, nobodyGotIt, sendAnswer, type SendRow } from "./answer.ts";
import { newBell, type Bell, type Signal } from "./bell.ts";
import type { RequestLetter } from "./letter.ts";
import type { Conclusion, SendStore, Underway } from "./store.ts";

/** So long a refusal for now and an unreachable relay are tried again (docs/decisions.md "Transactional send"). */
const TRY_FOR_MS = 10_000;
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

/** Resolves within 20 s. Rejects when the database cannot be written to the end: the key then stays closed. */
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
  const ends = [sender.begin(mailing, letter, bell.ring), stopping.listen(bell.ring)];
  if (send.owed === 0) bell.ring();
  try {
    const tryEnd = timeLimit(TRY_FOR_MS, clock, bell);
    ends.push(tryEnd.cancel);
    const inTime = await concludeBefore(() => stopping.isGiven || tryEnd.isOver(), parts, send, letter, bell);
    if (inTime) return inTime;
    await sends.giveUp(send.mailing, stopping.isGiven ? "SERVER_STOPPED" : "RELAY_UNAVAILABLE", clock.now());
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

function timeLimit(limitMs: number, clock: Clock, bell: Bell): { isOver: () => boolean; cancel: () => void } {
  let isOver = false;
  const cancel = clock.setTimer(limitMs, () => {
    isOver = true;
    bell.ring();
  });
  return { isOver: () => isOver, cancel };
}
