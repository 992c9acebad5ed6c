import type { AutomationStatus } from "../../api/api.gen.ts";
import { StatusWord, type Tone } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";

const TONES: Readonly<Record<AutomationStatus, Tone>> = { DRAFT: "quiet", LIVE: "good", PAUSED: "look" };

/** Whether an automation runs, in a word. */
export function AutomationStateWord({ status }: { readonly status: AutomationStatus }) {
  const { automations } = useTexts();
  return <StatusWord tone={TONES[status]}>{automations.states[status]}</StatusWord>;
}
