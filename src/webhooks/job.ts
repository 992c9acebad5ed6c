/**
 * Delivers what is owed to webhooks (the outbox). Each event is stored as a row first, and the row stays owed until
 * its outcome is written. If the server is killed in between, the event is sent again under the same id. Each
 * endpoint has its own lane, so that a slow or dead endpoint does not delay the others.
 */
import { sleep, type Clock } from "#core/time/clock.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { WebhookAnswer } from "#webhooks/calls/attempt.ts";
import type { WebhookCaller } from "#webhooks/calls/caller.ts";
import { KEPT_MS, type Attempt } from "./delivery.ts";
import { Lane } from "#webhooks/calls/lane.ts";
import { Pace, PACE_PERIOD_MS } from "#webhooks/calls/pace.ts";
import type { DueDelivery } from "./endpoint.ts";
import type { MadeAttempt, OutboxStore } from "./store.ts";
import { judgeAttempt } from "#webhooks/calls/verdict.ts";

/** The time between a write and the look for owed messages: many commits then need only one look. */
const LOOK_AFTER_MS = 20;
const READ_AT_ONCE = 32;
const BEGUN_IN_A_TURN = 16;
const CLEAR_EVERY_MS = 10_000;
const CLEARED_ROWS = 250;
const CLEARED_PIECES = 4;
const WRITTEN_AGAIN_AFTER_MS = 5_000;

type Parts = {
  readonly outbox: OutboxStore;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly caller: WebhookCaller;
  /** Whether mail is being sent. */
  isSending(): boolean;
  /** Makes `run` be called soon. */
  wake(): void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

export function webhookJob(parts: Parts) {
  const { outbox, clock } = parts;
  const lanes = new Map<number, Lane>();
  const stop = new AbortController();
  const pump = pumping(parts, lanes, stop.signal);
  const clear = clearing(parts, stop.signal);
  const lookSoon = oncePer(clock, LOOK_AFTER_MS, parts.wake);
  outbox.onOwed(lookSoon);
  let changes = 0;

  /** Reads which endpoints have messages due now. */
  const look = async (): Promise<void> => {
    const before = changes;
    const due = new Map((await outbox.dueEndpoints(clock.now())).map((one) => [one.number, one]));
    const trusting = new Map<string, boolean>();
    for (const { workspaceId } of due.values())
      if (!trusting.has(workspaceId))
        trusting.set(workspaceId, (await parts.workspaces.settings(workspaceId)).allowPrivateWebhooks);
    // What was read may be an old address. `changed` has asked for another look.
    if (changes !== before) return;
    for (const [number, lane] of lanes) {
      if (due.has(number)) continue;
      lane.empty();
      if (lane.isIdle) lanes.delete(number);
    }
    for (const [number, endpoint] of due) {
      const trusts = trusting.get(endpoint.workspaceId) ?? false;
      const lane = lanes.get(number) ?? new Lane(endpoint, trusts);
      lane.renew(endpoint, trusts);
      lanes.set(number, lane);
    }
  };

  return {
    async run(signOfLife: () => void): Promise<void> {
      await look();
      pump.run();
      await clear(signOfLife);
    },

    /** The scheduler looks every second, which is often enough for retries. */
    nextDueAt: () => Promise.resolve(null),

    /** A webhook was changed or deleted: nothing that was read before is sent. */
    changed(): void {
      changes++;
      for (const lane of lanes.values()) lane.empty();
      lookSoon();
    },

    /**
     * Starts no more requests. Those in progress may finish; what is not written by then is sent again after the
     * next start.
     */
    async stop(): Promise<void> {
      stop.abort();
      await pump.settled();
    },
  };
}

/** Starts requests while there are messages, room and free calls. */
function pumping(parts: Parts, lanes: ReadonlyMap<number, Lane>, stop: AbortSignal) {
  const { outbox, clock, log } = parts;
  const underWay = new Set<Promise<void>>();
  const deliver = delivering(parts, stop);
  const goOn = (): void => rounds.run();
  const mayBegin = gateOf(parts, oncePer(clock, PACE_PERIOD_MS, goOn));

  const begin = (lane: Lane, message: DueDelivery): void => {
    const delivery = deliver(lane, message).finally(() => {
      underWay.delete(delivery);
      goOn();
    });
    underWay.add(delivery);
  };

  const beginOne = async (lane: Lane): Promise<boolean> => {
    if (lane.needsMore) {
      const { version } = lane;
      const due = await outbox.due(lane.endpoint.number, clock.now(), READ_AT_ONCE, lane.underWay);
      // It may have changed while it was read; then it is read again.
      if (lane.version === version) lane.take(due);
    }
    if (!lane.hasNext || stop.aborted || !mayBegin(lane)) return false;
    const message = lane.begin();
    if (message !== null) begin(lane, message);
    return message !== null;
  };

  /** Takes one message of each lane in turn. */
  const round = async (): Promise<boolean> => {
    let begun = 0;
    for (const lane of lanes.values()) {
      if (!(await beginOne(lane))) continue;
      begun++;
      if (begun % BEGUN_IN_A_TURN === 0) await nextLoopTurn();
    }
    return begun > 0;
  };

  const rounds = roundsOf(round, log, stop);
  return {
    run: rounds.run,
    /** After a stop: resolves when nothing is in progress any more. */
    async settled(): Promise<void> {
      await rounds.settled();
      await Promise.allSettled(underWay);
    },
  };
}

/** Does rounds until one begins nothing. Whoever asks meanwhile gets another one. */
function roundsOf(round: () => Promise<boolean>, log: Log, stop: AbortSignal) {
  let working = Promise.resolve();
  let isRunning = false;
  let isAsked = false;

  /** No `await` between the last check of `isAsked` and `isRunning = false`, or a call in between is lost. */
  const work = async (): Promise<void> => {
    try {
      do {
        isAsked = false;
        while (!stop.aborted && (await round())) await nextLoopTurn();
      } while (isAsked && !stop.aborted);
    } catch (error) {
      log.error("webhooks could not be delivered; it is tried again", { error });
    } finally {
      isRunning = false;
    }
  };

  return {
    run(): void {
      isAsked = true;
      if (isRunning || stop.aborted) return;
      isRunning = true;
      working = work();
    },
    settled: () => working,
  };
}

/** Whether a lane may begin one more request. */
function gateOf({ caller, clock, isSending }: Parts, goOnLater: () => void): (lane: Lane) => boolean {
  const pace = new Pace();
  return ({ endpoint, room }) => {
    if (room <= 0 || endpoint.health.resumeAt > clock.now() || caller.free(endpoint.workspaceId) === 0)
      return false;
    const isOpen = pace.takes({
      isSending: isSending(),
      dueAt: endpoint.dueAt,
      now: clock.now(),
      monotonicMs: clock.monotonicMs(),
    });
    if (!isOpen) goOnLater();
    return isOpen;
  };
}

/** Makes one request and writes its outcome. */
function delivering({ outbox, caller, clock, random, log }: Parts, stop: AbortSignal) {
  /** A message whose outcome is not written would be sent again. So its lane waits until the outcome is written. */
  const settle = async (made: MadeAttempt) => {
    for (;;) {
      try {
        return await outbox.settle(made, judgeAttempt);
      } catch (error) {
        log.warn("the outcome of a webhook could not be written yet", { error });
        if (stop.aborted) return null;
        await sleep(clock, WRITTEN_AGAIN_AFTER_MS);
      }
    }
  };

  return async (lane: Lane, { number, id, body }: DueDelivery): Promise<void> => {
    const { endpoint, allowPrivate } = lane;
    const { url, secrets, workspaceId } = endpoint;
    const at = clock.now();
    const beganMs = clock.monotonicMs();
    const answer = await caller.call(workspaceId, { url, id, body, secrets, allowPrivate });
    const durationMs = Math.round(clock.monotonicMs() - beganMs);
    // If the clock was set back meanwhile, the next attempt must not go by the time that was wrong.
    const begunAt = Math.min(at, clock.now());
    const health = await settle({
      delivery: number,
      endpoint: endpoint.number,
      attempt: attemptOf(answer, begunAt, durationMs),
      askedPauseMs: answer.kind === "status" ? answer.askedPauseMs : 0,
      jitter: random.fraction(),
    });
    if (health === null) lane.empty();
    else lane.endpoint = { ...lane.endpoint, health };
    lane.end(number, health?.failures === 0, durationMs);
  };
}

function attemptOf(answer: WebhookAnswer, at: number, durationMs: number): Attempt {
  if (answer.kind !== "status") return { at, status: null, answer: "", error: answer.problem, durationMs };
  const { status, answer: text } = answer;
  const error = status >= 300 && status < 400 ? "It is a redirect, and redirects are not followed." : null;
  return { at, status, answer: text, error, durationMs };
}

/**
 * Draws in what a wrong clock put off, and removes deliveries that are no longer kept, a few at a time. There may be
 * millions, and no owed message is looked for in between: so a run removes only some, and asks for the next run.
 */
function clearing({ outbox, clock, log, wake }: Parts, stop: AbortSignal) {
  let nextMs = 0;
  /** Whether there is more to remove. */
  const removeSome = async (signOfLife: () => void): Promise<boolean> => {
    for (let piece = 0; piece < CLEARED_PIECES; piece++) {
      if (stop.aborted || !(await outbox.clear(clock.now() - KEPT_MS, CLEARED_ROWS))) return false;
      signOfLife();
    }
    return true;
  };

  return async (signOfLife: () => void): Promise<void> => {
    if (clock.monotonicMs() < nextMs) return;
    try {
      await outbox.drawIn(clock.now());
      if (await removeSome(signOfLife)) return wake();
    } catch (error) {
      log.warn("the deliveries of webhooks could not be tidied up yet", { error });
    }
    nextMs = clock.monotonicMs() + CLEAR_EVERY_MS;
  };
}

/** Calls `work` once, `delayMs` after the first of several calls. */
function oncePer(clock: Clock, delayMs: number, work: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    clock.setTimer(delayMs, () => {
      isPlanned = false;
      work();
    });
  };
}
