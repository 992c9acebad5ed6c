/**
 * What one job may spend. `cpuMs` is what its thread had of a processor. The memory is what the process has grown by meanwhile, for nobody
 * can say which thread has it. `lateMs` is time that went by: past it nobody waits any more.
 */
export type Budget = { readonly cpuMs: number; readonly memoryBytes: number; readonly lateMs: number };

/** 480 KB of ordinary MJML take four seconds. */
export const BUDGET: Budget = { cpuMs: 8_000, memoryBytes: 400 * 1024 * 1024, lateMs: 120_000 };
