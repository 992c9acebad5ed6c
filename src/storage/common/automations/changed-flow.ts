import type { Flow } from "#automations/flow/flow.ts";

/** The flow to be written; null: none was given, or it is the one that is there. */
export const changedFlow = (current: Flow, wanted: Flow | undefined): Flow | null =>
  wanted === undefined || JSON.stringify(current) === JSON.stringify(wanted) ? null : wanted;
