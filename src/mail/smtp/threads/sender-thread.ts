import type { Clock } from "#core/time/clock.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { WatchedThread, type Look } from "#mail/threads/watched-thread.ts";
import { inBatches } from "./batch.ts";
import type { Order, Report } from "./messages.ts";
import { SharedMemory } from "./shared-memory.ts";
import { ThreadSession, type ThreadOfSession } from "./thread-session.ts";

/** An empty batch of orders. It is answered like any other. */
const NO_ORDERS = "[]";

export type ThreadParts = {
  readonly worker: Worker;
  readonly clock: Clock;
  /** The thread has ended. `reason` is null if nothing was wrong. */
  ended(reason: string | null, sessions: number): void;
};

/** One sender thread with its sessions. It is ended some seconds after the last one. */
export class SenderThread implements ThreadOfSession {
  readonly memory: SharedMemory;
  readonly order: (order: Order) => void;
  readonly #sessions = new Map<number, ThreadSession>();
  readonly #thread: WatchedThread;
  #lastNumber = 0;

  constructor(private readonly parts: ThreadParts) {
    const thread = new WatchedThread({
      worker: parts.worker,
      clock: parts.clock,
      heard: (batch) => this.#heard(batch),
      look: () => this.#look(),
      ended: (reason) => this.#ended(reason),
    });
    const toThread = inBatches((batch) => thread.post(batch));
    this.#thread = thread;
    this.order = toThread;
    this.memory = new SharedMemory(
      (memory) => thread.post(memory),
      (memory) => toThread({ order: "forget", memory }),
    );
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  session(relay: RelayAddress): SmtpSession {
    const number = ++this.#lastNumber;
    const session = new ThreadSession(number, relay, this);
    this.#sessions.set(number, session);
    return session;
  }

  gone(session: number): void {
    this.#sessions.delete(session);
  }

  /** Cuts off all its sessions: their sockets are closed, and none of them writes another dot. */
  #ended(reason: string | null): void {
    this.parts.worker.terminate();
    const sessions = [...this.#sessions.values()];
    this.parts.ended(reason, sessions.length);
    for (const session of sessions) session.threadEnded();
  }

  #heard(batch: string): void {
    for (const report of JSON.parse(batch) as Report[]) this.#sessions.get(report.session)?.heard(report);
  }

  /** Asks for a sign. A slow relay does not matter: a thread that waits still turns its event loop. */
  #look(): Look {
    if (this.#sessions.size === 0) return "not needed";
    this.#thread.post(NO_ORDERS);
    return "owes a sign";
  }
}
