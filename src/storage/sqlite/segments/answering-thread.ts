import type { Clock } from "#core/time/clock.ts";
import { QuestionTooLong } from "#core/errors/question-too-long.ts";
import type { SegmentFound, SegmentOrder, SegmentReport } from "./segment-thread.ts";

/** A thread without work is ended, so that its memory is free for others. */
const IDLE_MS = 20_000;

/**
 * The thread that answers, one question at a time. The first question starts it, and so does the next one after it
 * ended.
 */
export class AnsweringThread {
  #thread: Worker | null = null;
  /** Ends the question that is being answered; null: there is none. */
  #settle: ((answer: SegmentReport | Error) => void) | null = null;
  #cancelRest = (): void => undefined;

  constructor(
    private readonly startThread: () => Worker,
    private readonly clock: Clock,
  ) {}

  /** Call it again only after the last answer has come. @throws QuestionTooLong if it takes longer than `limitMs` */
  answer(order: SegmentOrder, limitMs: number): Promise<SegmentFound> {
    this.#cancelRest();
    const thread = (this.#thread ??= this.#start());
    // A thread alone keeps no process alive, but a command that waits for its answer must not end.
    thread.ref();
    return new Promise((resolve, reject) => {
      // It reads in steps, and ends between two of them.
      const cancelEnd = this.clock.setTimer(limitMs, () => this.end(new QuestionTooLong()));
      this.#settle = (answer) => {
        this.#settle = null;
        cancelEnd();
        if (answer instanceof Error) return reject(answer);
        if ("found" in answer) return resolve(answer.found);
        const { message, code } = answer.failed;
        reject(Object.assign(new Error(message), { code }));
      };
      thread.postMessage(order, []);
    });
  }

  /** There is no more work for now. */
  rest(): void {
    this.#thread?.unref();
    this.#cancelRest();
    this.#cancelRest = this.clock.setTimer(IDLE_MS, () => this.end(new Error("it had no work")));
  }

  /** Ends the thread. The question that is being answered is rejected with the reason. */
  end(reason: Error): void {
    this.#cancelRest();
    const thread = this.#thread;
    this.#thread = null;
    thread?.terminate();
    this.#settle?.(reason);
  }

  #start(): Worker {
    const thread = this.startThread();
    thread.addEventListener("message", ({ data }: MessageEvent<SegmentReport>) => {
      if (this.#thread === thread) this.#settle?.(data);
    });
    const gone = (reason: string): void => {
      if (this.#thread === thread) this.end(new Error(`The thread for segments ended: ${reason}`));
    };
    thread.addEventListener("error", (event) => {
      event.preventDefault();
      gone(event.message);
    });
    thread.addEventListener("close", () => gone("it was closed"));
    return thread;
  }
}
