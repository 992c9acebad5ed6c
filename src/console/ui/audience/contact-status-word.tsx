import type { ContactStatus } from "../api/api.gen.ts";
import { StatusWord, type Tone } from "../parts/status-word.tsx";
import { useTexts } from "../texts/texts.tsx";

const TONES: Readonly<Record<ContactStatus, Tone>> = {
  SUBSCRIBED: "good",
  PENDING: "look",
  UNSUBSCRIBED: "quiet",
  BOUNCED: "bad",
};

/** Whether somebody agreed to mail, in a word. */
export function ContactStatusWord({ status }: { readonly status: ContactStatus }) {
  const { rules } = useTexts();
  return <StatusWord tone={TONES[status]}>{rules.statuses[status]}</StatusWord>;
}
