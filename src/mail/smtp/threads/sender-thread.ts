import type { Clock } from "#core/time/clock.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { inBatches } from "./batch.ts";
import type { Order, Report } from "./messages.ts";
import { SharedMemory } from "./shared-memory.ts";
import { ThreadSession, type ThreadOfSession } from "./thread-session.ts";

const LOOK_EVERY_MS = 5_000;
/**
 * A thread that gave no sign for this many looks in a row hangs. A slow relay does not matter: a thread that waits
 * still turns its event loop. Looks are counted, not time: after the machine slept, only one look was missed.
 */
const SILENT_LOOKS_MAX = 12;

export type ThreadParts = {
  readonly worker: Worker;
  readonly clock: Clock;
  /** The thread has ended. `reason` is null if nothing was wrong. */
  ended(reason: string | null, sessions: number): void;
};

/** One sender thread with its sessions. It is watched while it has any. */
export class SenderThread implements ThreadOfSession {
  readonly memory: SharedMemory;
  readonly order: (order: Order) => void;
  readonly #sessions = new Map<number, ThreadSession>();
  #lastNumber = 0;
  #silentLooks = 0;
  #cancelLook: (() => void) | null = null;
  #isOver = false;

  constructor(private readonly parts: ThreadParts) {
    const { worker } = parts;
    const toThread = inBatches((batch) => this.#post(batch));
    this.order = toThread;
    this.memory = new SharedMemory(
      (memory) => this.#post(memory),
      (memory) => toThread({ order: "forget", memory }),
    );
    worker.addEventListener("message", ({ data }: MessageEvent<string>) => this.#heard(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(event.message === "" ? "it failed" : event.message);
    });
    worker.addEventListener("close", () => this.end("it ended by itself"));
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  session(relay: RelayAddress): SmtpSession {
    const number = ++this.#lastNumber;
    const session = new ThreadSession(number, relay, this);
    this.#sessions.set(number, session);
    this.#cancelLook ??= this.parts.clock.setTimer(LOOK_EVERY_MS, () => this.#look());
    return session;
  }

  gone(session: number): void {
    this.#sessions.delete(session);
  }

  /** Ends the thread at once, with all its sessions: their sockets are closed, and none of them writes another dot. */
  end(reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelLook?.();
    this.parts.worker.terminate();
    const sessions = [...this.#sessions.values()];
    this.parts.ended(reason, sessions.length);
    for (const session of sessions) session.threadEnded();
  }

  #post(message: unknown): void {
    if (!this.#isOver) this.parts.worker.postMessage(message, []);
  }

  #heard(batch: string): void {
    this.#silentLooks = 0;
    for (const report of JSON.parse(batch) as Report[]) this.#sessions.get(report.session)?.heard(report);
  }

  #look(): void {
    this.#cancelLook = null;
    if (this.#sessions.size === 0) return this.end(null);
    if (++this.#silentLooks > SILENT_LOOKS_MAX) return this.end("it hangs");
    this.#post("[]");
    this.#cancelLook = this.parts.clock.setTimer(LOOK_EVERY_MS, () => this.#look());
  }
}
