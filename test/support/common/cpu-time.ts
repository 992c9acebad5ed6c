/**
 * The CPU time in milliseconds that work takes on this thread. Unlike its duration, it does not grow on a
 * busy machine.
 */
export async function costMs(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Some kernels count a thread's time in ticks as long as this: what takes less may be told as nothing. */
const TICK_MS = 10;

/**
 * The lowest of several runs, because a garbage collection may fall into any of them. At least a tick, so that it can
 * be compared with.
 */
export async function leastCostMs(run: () => unknown): Promise<number> {
  return Math.max(TICK_MS, Math.min(await costMs(run), await costMs(run), await costMs(run)));
}
