/**
 * Threads are started here and nowhere else. In the executable a thread's file is found only from a file that
 * lies beside it, directly under src/.
 */
export const startJobThread = (): Worker =>
  new Worker(new URL("./job-worker.ts", import.meta.url).href, { smol: true, ref: false });

export const startBackupThread = (): Worker =>
  new Worker(new URL("./backup-worker.ts", import.meta.url).href);

export const startSegmentThread = (): Worker =>
  new Worker(new URL("./segment-worker.ts", import.meta.url).href, { smol: true, ref: false });

export const startCheckpointThread = (): Worker =>
  new Worker(new URL("./checkpoint-worker.ts", import.meta.url).href);

export const startSignatureThread = (): Worker =>
  new Worker(new URL("./signature-worker.ts", import.meta.url).href, { smol: true, ref: false });

export const startSenderThread = (): Worker =>
  new Worker(new URL("./sender-worker.ts", import.meta.url).href, { smol: true, ref: false });
