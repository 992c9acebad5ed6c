/** The checkpoint thread as the server sees it: one pass at a time, and a new thread after one that ended. */
import type { Clock } from "#core/time/clock.ts";
import type { CheckpointOrder, CheckpointReport } from "./checkpoint-thread.ts";

/** The pause before a new thread. It doubles each time, until a thread has done a pass. */
const NEW_THREAD_MS = { first: 1_000, longest: 60_000 } as const;

export type CheckpointPasses = {
  /** Runs one pass. Resolves with the number of pages in the log, or with 0 if there was no pass. */
  run(): Promise<number>;
  /** Resolves when the thread has closed its connection. No thread is started afterwards. */
  stop(): Promise<void>;
  /** True: no pass can be run, because it was stopped or is between two threads. */
  readonly isOver: boolean;
};

type OnPass = {
  /** A pass had an error, for example a full disk. The thread continues. */
  onFailure(error: Error): void;
};
type OnThread = {
  /** The thread ended by itself. Not called for later threads that end at once. */
  onGone(reason: string): void;
  onNewThread(): void;
  /** After `onGone`: a new thread has done a pass. */
  onBack(): void;
};

export function lastingPasses(
  startThread: () => Worker,
  path: string,
  on: OnPass & OnThread & { readonly clock: Clock },
): CheckpointPasses {
  let pauseMs: number = NEW_THREAD_MS.first;
  let isMissed = false;
  let cancel = (): void => undefined;

  const onGone = (reason: string): void => {
    if (!isMissed) on.onGone(reason);
    isMissed = true;
    cancel = on.clock.setTimer(pauseMs, () => {
      passes = start();
      on.onNewThread();
    });
    pauseMs = Math.min(2 * pauseMs, NEW_THREAD_MS.longest);
  };
  const onPass = (): void => {
    if (!isMissed) return;
    [isMissed, pauseMs] = [false, NEW_THREAD_MS.first];
    on.onBack();
  };
  const start = (): CheckpointPasses =>
    passesOf(startThread(), path, { onFailure: on.onFailure, onPass, onGone });

  let passes = start();
  return {
    run: () => passes.run(),
    stop() {
      cancel();
      return passes.stop();
    },
    get isOver() {
      return passes.isOver;
    },
  };
}

/** The passes of one thread. `onGone` is called at most once. */
function passesOf(
  thread: Worker,
  path: string,
  on: OnPass & Pick<OnThread, "onGone"> & { onPass(): void },
): CheckpointPasses {
  let isOver = false;
  let reported = (_frames: number): void => undefined;
  const end = Promise.withResolvers<void>();
  const order = (what: CheckpointOrder): void => thread.postMessage(what, []);

  thread.addEventListener("message", ({ data }: MessageEvent<CheckpointReport>) => {
    if (data === "ended") return end.resolve();
    if ("failed" in data) {
      on.onFailure(Object.assign(new Error(data.failed.message), { code: data.failed.code }));
      return reported(0);
    }
    on.onPass();
    reported(data.frames);
  });
  const gone = (reason: string): void => {
    end.resolve();
    // Also while the server ends, because the writer may be paused for this pass.
    reported(0);
    if (isOver) return;
    isOver = true;
    thread.terminate();
    on.onGone(reason);
  };
  thread.addEventListener("error", (event) => {
    event.preventDefault();
    gone(event.message);
  });
  thread.addEventListener("close", () => gone("it was closed"));

  order({ open: path });
  thread.unref();
  return {
    run: () =>
      new Promise((resolve) => {
        if (isOver) return resolve(0);
        reported = resolve;
        order("checkpoint");
      }),
    async stop() {
      if (isOver) return;
      isOver = true;
      thread.ref();
      order("end");
      await end.promise;
      thread.terminate();
    },
    get isOver() {
      return isOver;
    },
  };
}
