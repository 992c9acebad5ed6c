import type { SendState } from "#campaigns/send/send-control.ts";

/** The phase of a campaign's send, from that of its mailing; null: it has none. */
export const sendPhase = (phase: SendState["phase"] | "finished" | null): SendState["phase"] =>
  phase === null || phase === "finished" ? "none" : phase;
