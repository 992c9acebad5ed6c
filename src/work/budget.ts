/**
 * What one job may use. `cpuMs` is the processor time of its thread. `memoryBytes` is by how much the whole
 * process grew meanwhile, because memory cannot be measured for one thread. `lateMs` is elapsed time: after
 * it, nobody waits for the job any more.
 */
export type Budget = { readonly cpuMs: number; readonly memoryBytes: number; readonly lateMs: number };

/** Enough for the largest MJML that is accepted, if it is ordinary. */
export const BUDGET: Budget = { cpuMs: 8_000, memoryBytes: 400 * 1024 * 1024, lateMs: 120_000 };
