/** Sends the messages of a committed request, retries them, gives them up, and concludes the request. */
import { withoutRetry } from "#core/errors/storage-error.ts";
import { present } from "#core/present.ts";
import { sleep, type Clock } from "#core/time/clock.ts";
import type { Sender } from "#deliveries/sender/sender.ts";
import type { Log } from "#log.ts";
import { failuresOf, isSettled, nobodyGotIt, sendAnswer, type SendRow } from "./answer.ts";
import { newBell, type Bell } from "./bell.ts";
import type { RequestLetter } from "./letter.ts";
import type { Conclusion, SendStore, BegunSend } from "./store.ts";

/**
 * How long messages are retried after a temporary refusal, or while the relay cannot be reached (docs/decisions.md
 * "Transactional send"). The time starts when each message of the request has been tried once.
 */
const TRY_FOR_MS = 10_000;
/**
 * How long the messages of a request wait for a free connection to the relay. A burst of requests is queued, not
 * refused.
 */
const QUEUE_FOR_MS = 20_000;
/** After its final dot was sent, a message gets this much longer before the answer calls it UNCERTAIN. */
const DOT_GRACE_MS = 10_000;
/** The end of a request that could not be written is tried again after this. */
const WRITE_PAUSE_MS = 1_000;

export type DispatchParts = {
  readonly sends: Pick<SendStore, "conclude" | "giveUp">;
  readonly sender: Pick<Sender, "begin" | "blockedBy">;
  /** Aborts when the server ends: nothing more is tried. Messages whose final dot was sent may finish. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Resolves within 40 s: 20 in the queue, 10 of attempts, 10 at the dot. Rejects if the end cannot be written
 * to the database; the caller learns that at once, and the end is written when it can be.
 */
export const dispatch = (parts: DispatchParts, send: BegunSend, letter: RequestLetter): Promise<Conclusion> =>
  // Whoever is told that the same may be sent again in a moment would mail somebody twice.
  new Dispatch(parts, send, letter).carryOut().catch(withoutRetry);

/** The messages of one request on their way. */
class Dispatch {
  /** Rings when there may be a conclusion, and when a time is over. */
  readonly #bell = newBell();
  /** What the relays say, where they stop more than these messages: then no message has a reply of its own. */
  #trouble: string | null = null;

  constructor(
    private readonly parts: DispatchParts,
    private readonly send: BegunSend,
    private readonly letter: RequestLetter,
  ) {}

  async carryOut(): Promise<Conclusion> {
    const { sender, stop, clock, log } = this.parts;
    const { id, mailing: number, workspaceId, owed } = this.send;
    const { ring } = this.#bell;
    const mailing = { number, workspaceId, sourceId: id, kind: "transactional" } as const;
    const tryEnd = tryLimit(owed, clock, this.#bell);
    const watching = { onStarted: tryEnd.started, onSettled: ring };
    const ends = [sender.begin(mailing, this.letter, watching), onAbort(stop, ring), tryEnd.cancel];
    // A signal that was aborted before tells nobody.
    if (owed === 0 || stop.aborted) ring();
    try {
      const inTime = await this.#concludeBefore(() => stop.aborted || tryEnd.isOver());
      if (inTime) return inTime;
      const why = stop.aborted ? "SERVER_STOPPED" : tryEnd.isTried ? "RELAY_UNAVAILABLE" : "RELAY_BUSY";
      this.#trouble = sender.blockedBy(number);
      return await this.#giveUp(why).catch((error: unknown) => {
        if (!stop.aborted) {
          log.warn("the end of a request cannot be written yet", { send: id, error });
          void this.#endLater(why);
        }
        throw error;
      });
    } finally {
      for (const end of ends) end();
    }
  }

  /** Nothing more is tried. Messages whose final dot was sent may still get their answer. */
  async #giveUp(why: string): Promise<Conclusion> {
    const { sends, clock } = this.parts;
    await sends.giveUp(this.send.mailing, why, clock.now());
    this.#bell.ring();
    const dotEnd = timeLimit(DOT_GRACE_MS, clock, this.#bell);
    try {
      const inTime = await this.#concludeBefore(dotEnd.isOver);
      return (
        inTime ?? present(await this.#conclude(() => true), "conclusion of a request whose time is over")
      );
    } finally {
      dotEnd.cancel();
    }
  }

  /**
   * Nobody else ends a request's messages while this process runs, and nobody else knows what to say to its key: it would
   * be closed for a day, also where nobody got the mail. A stop leaves it to the next start, or to the other nodes.
   */
  async #endLater(why: string): Promise<void> {
    const { sends, stop, clock } = this.parts;
    for (let isWritten = false; !isWritten;) {
      await sleep(clock, WRITE_PAUSE_MS);
      if (stop.aborted) return;
      isWritten = await sends
        .giveUp(this.send.mailing, why, clock.now())
        .then(() => this.#conclude(areSettled))
        .then(
          (conclusion) => conclusion !== null,
          () => false,
        );
    }
  }

  /**
   * Waits for the conclusion, which comes when every row is settled; null if the time is over first. It is
   * requested whenever an outcome waits for its commit, so that both share one commit.
   */
  async #concludeBefore(isOver: () => boolean): Promise<Conclusion | null> {
    for (;;) {
      await this.#bell.next();
      const conclusion = await this.#conclude(areSettled).catch((error: unknown) => {
        // If the conclusion cannot be written, the outcome cannot either. The bell rings again when it can.
        this.parts.log.warn("a request cannot be concluded yet", { send: this.send.id, error });
        return null;
      });
      if (conclusion !== null || isOver()) return conclusion;
    }
  }

  #conclude(isEnd: (rows: readonly SendRow[]) => boolean): Promise<Conclusion | null> {
    const { send, letter } = this;
    return this.parts.sends.conclude(send, (rows) => {
      if (!isEnd(rows)) return null;
      const answer = sendAnswer(send.id, rows, letter.messageIdOf);
      return { answer, isKeyFree: nobodyGotIt(answer), failures: failuresOf(rows, this.#trouble) };
    });
  }
}

const areSettled = (rows: readonly SendRow[]): boolean => rows.every(isSettled);

/** Returns a function that removes the listener: the signal lives longer than a request. */
function onAbort(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}

/**
 * Counts the messages that were tried. First the queue's limit applies; once every message was tried, the limit for
 * attempts.
 */
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
