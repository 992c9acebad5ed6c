import type { KeyObject } from "node:crypto";
import type { Clock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { WatchedThread, type Look } from "#mail/threads/watched-thread.ts";
import { NO_MORE, type Batch, type NewKey } from "./messages.ts";

/** A text to be signed. */
export type Asked = {
  readonly text: string;
  readonly key: KeyObject;
  resolve(signature: string): void;
  reject(error: unknown): void;
};

export type ThreadParts = {
  readonly worker: Worker;
  readonly clock: Clock;
  /** The thread has room for another batch. */
  answered(): void;
  /** The thread has ended without signing these texts. `reason` is null if nothing was wrong. */
  ended(reason: string | null, unsigned: readonly Asked[]): void;
};

/** One thread that signs. It ends itself after some seconds without work. */
export class SignatureThread {
  readonly #batches: (readonly Asked[])[] = [];
  readonly #keys = new Map<KeyObject, number>();
  readonly #thread: WatchedThread;
  #isIdle = true;

  constructor(private readonly parts: ThreadParts) {
    this.#thread = new WatchedThread({
      worker: parts.worker,
      clock: parts.clock,
      heard: (signatures) => this.#heard(signatures),
      look: () => this.#look(),
      ended: (reason) => this.#ended(reason),
    });
  }

  /** How many batches the thread has not answered. */
  get batches(): number {
    return this.#batches.length;
  }

  sign(asked: readonly Asked[]): void {
    const batch: Batch = asked.map(({ key, text }) => [this.#numberOf(key), text]);
    this.#batches.push(asked);
    this.#isIdle = false;
    this.#thread.post(JSON.stringify(batch));
  }

  /** Ends the thread. If it is at work, it is cut off. */
  end(reason: string | null): void {
    this.#thread.end(reason);
  }

  #ended(reason: string | null): void {
    if (reason === null && this.#batches.length === 0) this.parts.worker.postMessage(NO_MORE, []);
    else this.parts.worker.terminate();
    this.parts.ended(reason, this.#batches.splice(0).flat());
  }

  #numberOf(key: KeyObject): number {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const number = this.#keys.size;
    this.#keys.set(key, number);
    const pem = key.export({ type: "pkcs8", format: "pem" });
    this.#thread.post({ key: number, pem } satisfies NewKey);
    return number;
  }

  #heard(data: string): void {
    const asked = present(this.#batches.shift(), "batch that was asked for");
    const signatures = JSON.parse(data) as string[];
    asked.forEach(({ resolve }, index) => resolve(present(signatures[index], "signature of a batch")));
    this.parts.answered();
  }

  /** A batch takes some milliseconds: each look should find that some were answered since the last one. */
  #look(): Look {
    const isAtWork = this.#batches.length > 0;
    if (!isAtWork && this.#isIdle) return "not needed";
    this.#isIdle = true;
    return isAtWork ? "owes a sign" : "may be silent";
  }
}
