import type { KeyObject } from "node:crypto";
import type { Clock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { NO_MORE, type Batch, type NewKey } from "./messages.ts";

/** A text to be signed. */
export type Asked = {
  readonly text: string;
  readonly key: KeyObject;
  resolve(signature: string): void;
  reject(error: unknown): void;
};

const LOOK_EVERY_MS = 5_000;
/** A batch takes some milliseconds. Looks are counted, not time: after the machine slept, only one look was missed. */
const SILENT_LOOKS_MAX = 12;

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
  #isIdle = true;
  #silentLooks = 0;
  #cancelLook: () => void;
  #isOver = false;

  constructor(private readonly parts: ThreadParts) {
    const { worker } = parts;
    worker.addEventListener("message", ({ data }: MessageEvent<string>) => this.#heard(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end(event.message === "" ? "it failed" : event.message);
    });
    worker.addEventListener("close", () => this.end("it ended by itself"));
    this.#cancelLook = this.#lookLater();
  }

  /** How many batches the thread has not answered. */
  get batches(): number {
    return this.#batches.length;
  }

  sign(asked: readonly Asked[]): void {
    const batch: Batch = asked.map(({ key, text }) => [this.#numberOf(key), text]);
    this.#batches.push(asked);
    this.#isIdle = false;
    this.parts.worker.postMessage(JSON.stringify(batch), []);
  }

  /** Ends the thread. If it is at work, it is cut off. */
  end(reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelLook();
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
    this.parts.worker.postMessage({ key: number, pem } satisfies NewKey, []);
    return number;
  }

  #heard(data: string): void {
    this.#silentLooks = 0;
    const asked = present(this.#batches.shift(), "batch that was asked for");
    const signatures = JSON.parse(data) as string[];
    asked.forEach(({ resolve }, index) => resolve(present(signatures[index], "signature of a batch")));
    this.parts.answered();
  }

  #lookLater(): () => void {
    return this.parts.clock.setTimer(LOOK_EVERY_MS, () => this.#look());
  }

  #look(): void {
    const isAtWork = this.#batches.length > 0;
    if (!isAtWork && this.#isIdle) return this.end(null);
    if (isAtWork && ++this.#silentLooks > SILENT_LOOKS_MAX) return this.end("it hangs");
    this.#isIdle = true;
    this.#cancelLook = this.#lookLater();
  }
}
