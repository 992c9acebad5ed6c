/**
 * Threads are started here and nowhere else. In the executable a thread's file is found only from a file that
 * lies beside it, directly under src/.
 */
export const startJobThread = (): Worker =>
  started(() => new Worker(new URL("./job-worker.ts", import.meta.url).href, { smol: true, ref: false }));

export const startBackupThread = (): Worker =>
  started(() => new Worker(new URL("./backup-worker.ts", import.meta.url).href));

export const startSegmentThread = (): Worker =>
  started(() => new Worker(new URL("./segment-worker.ts", import.meta.url).href, { smol: true, ref: false }));

export const startCheckpointThread = (): Worker =>
  started(() => new Worker(new URL("./checkpoint-worker.ts", import.meta.url).href));

export const startSignatureThread = (): Worker =>
  started(
    () => new Worker(new URL("./signature-worker.ts", import.meta.url).href, { smol: true, ref: false }),
  );

export const startSenderThread = (): Worker =>
  started(() => new Worker(new URL("./sender-worker.ts", import.meta.url).href, { smol: true, ref: false }));

/**
 * A thread that the system refuses, at a limit of processes or of memory, is given as one that failed and ended at
 * once. Whoever starts a thread is prepared for that; a call that throws would end the server where nobody waits for it.
 */
function started(start: () => Worker): Worker {
  try {
    return start();
  } catch (error) {
    return refusedThread(error instanceof Error ? error.message : String(error));
  }
}

function refusedThread(message: string): Worker {
  const nothing = (): void => undefined;
  const thread = Object.assign(new EventTarget(), {
    postMessage: nothing,
    terminate: nothing,
    ref: nothing,
    unref: nothing,
  });
  // As of a real thread: after the caller has added its listeners.
  setImmediate(() => {
    thread.dispatchEvent(new ErrorEvent("error", { message }));
    thread.dispatchEvent(new Event("close"));
  });
  return thread as unknown as Worker;
}
