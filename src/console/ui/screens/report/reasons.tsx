import { Button } from "@mantine/core";
import type { CampaignReport, DeliveryState } from "../../api/api.gen.ts";
import { Count } from "../../parts/numbers.tsx";
import { OUTCOME_TONES, useOutcomeWords } from "../../parts/outcome.ts";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** An empty reason means everybody in the state. */
type Chosen = { readonly state: DeliveryState; readonly reason: string };

type Props = { readonly report: CampaignReport; readonly onChoose: (chosen: Chosen) => void };

/** Why people did not get it, the most common reason first. Each opens its people. */
export function Reasons({ report, onChoose }: Props) {
  const { report: texts } = useTexts();
  const wordsOf = useOutcomeWords();
  const shown = rowsOf(report).toSorted((a, b) => b.count - a.count);
  if (shown.length === 0) return null;
  return (
    <ul className="report-reasons">
      {shown.map(({ state, reason, count }) => (
        <li key={`${state} ${reason}`}>
          <Count value={count} />
          <StatusWord tone={OUTCOME_TONES[state]}>{texts.states[state]}</StatusWord>
          <span className="report-says">{wordsOf(state, reason)}</span>
          <Button size="compact-xs" variant="subtle" onClick={() => onChoose({ state, reason })}>
            {texts.people}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** By reason. People of a state without a reason are counted together. */
function rowsOf({ reasons = [], bounced, failed, uncertain, skipped }: CampaignReport) {
  const ended = reasons.filter(({ state }) => state !== "QUEUED" && state !== "SENDING" && state !== "SENT");
  const totals = {
    BOUNCED: bounced,
    FAILED: failed,
    UNCERTAIN: uncertain,
    SKIPPED: Object.values(skipped).reduce((sum, n) => sum + n, 0),
  };
  const others = (["BOUNCED", "FAILED", "UNCERTAIN", "SKIPPED"] as const).map((state) => {
    const known = ended.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0);
    return { state, reason: "", count: totals[state] - known };
  });
  return [...ended, ...others.filter(({ count }) => count > 0)];
}
