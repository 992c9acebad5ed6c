import type { Import } from "../../api/api.gen.ts";
import type { Tone } from "../../parts/status-word.tsx";

export const STATE_TONES: Readonly<Record<Import["state"], Tone>> = {
  RUNNING: "busy",
  DONE: "good",
  FAILED: "bad",
  CANCELLED: "quiet",
};
