/** A sender thread that breaks as it is told: see breaking-thread-child.ts. */
export function breakingThread(crashes = 0): Worker {
  const env = { SENDER_THREAD_CRASHES: String(crashes) };
  return new Worker(new URL("./breaking-thread-child.ts", import.meta.url).href, { ref: false, env });
}
