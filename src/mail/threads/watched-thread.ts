import type { Clock } from "#core/time/clock.ts";

const LOOK_EVERY_MS = 5_000;
/**
 * A thread that gave no sign for this many looks in a row hangs. Looks are counted, not time: after the machine slept,
 * only one look was missed.
 */
const SILENT_LOOKS_MAX = 12;

/** What a look at a thread finds: it owes a sign, it has nothing to say, or it is not needed any more. */
export type Look = "owes a sign" | "may be silent" | "not needed";

export type Watched = {
  readonly worker: Worker;
  readonly clock: Clock;
  /** A message from the thread. Each is a sign of life. */
  heard(message: string): void;
  look(): Look;
  /** Called once. Nothing is posted any more; the worker may still run. `reason` is null if nothing was wrong. */
  ended(reason: string | null): void;
};

/** A thread that is looked at every few seconds, and is over when it fails, ends, hangs or is not needed. */
export class WatchedThread {
  #silentLooks = 0;
  #isOver = false;
  #cancelLook: () => void;

  constructor(private readonly watched: Watched) {
    const { worker } = watched;
    worker.addEventListener("message", ({ data }: MessageEvent<string>) => {
      this.#silentLooks = 0;
      watched.heard(data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(event.message === "" ? "it failed" : event.message);
    });
    worker.addEventListener("close", () => this.end("it ended by itself"));
    this.#cancelLook = this.#lookLater();
  }

  post(message: unknown): void {
    if (!this.#isOver) this.watched.worker.postMessage(message, []);
  }

  end(reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelLook();
    this.watched.ended(reason);
  }

  #lookLater(): () => void {
    return this.watched.clock.setTimer(LOOK_EVERY_MS, () => this.#look());
  }

  #look(): void {
    const found = this.watched.look();
    if (found === "not needed") return this.end(null);
    if (found === "owes a sign" && ++this.#silentLooks > SILENT_LOOKS_MAX) return this.end("it hangs");
    this.#cancelLook = this.#lookLater();
  }
}
