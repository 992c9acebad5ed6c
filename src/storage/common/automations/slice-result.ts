import type { SliceResult } from "#automations/run/store.ts";

/** Of a slice in which nothing was done. */
export const NOTHING: SliceResult = { stale: false, done: 0, mails: 0, calls: [], crashes: [] };
