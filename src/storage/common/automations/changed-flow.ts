import type { Flow } from "#automations/flow/flow.ts";

/** The flow to write; null if none was given, or if it is unchanged. */
export const changedFlow = (current: Flow, wanted: Flow | undefined): Flow | null =>
  wanted === undefined || JSON.stringify(current) === JSON.stringify(wanted) ? null : wanted;
