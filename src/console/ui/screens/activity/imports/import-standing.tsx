import type { Import, ImportState } from "../../../api/api.gen.ts";
import { useFormat } from "../../../frame/format.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { StatusWord, type Tone } from "../../../parts/status-word.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { CancelImport } from "./cancel-import.tsx";

const TONES: Readonly<Record<ImportState, Tone>> = {
  RUNNING: "busy",
  DONE: "good",
  FAILED: "bad",
  CANCELLED: "quiet",
};

/**
 * The state of an import. How many rows a file has is not known before it is read, so the bar of a running import
 * has no end: the rows read so far are shown beside it.
 */
export function ImportStanding({ one }: { readonly one: Import }) {
  const { imports: texts } = useTexts().activity;
  const { may } = useSession();
  const { quantity } = useFormat();
  return (
    <>
      <StatusWord tone={TONES[one.state]}>{texts.states[one.state]}</StatusWord>
      {one.state === "RUNNING" && (
        <div className="activity-running">
          <div className="activity-endless" role="progressbar" aria-label={one.fileName} />
          <span className="activity-quiet">{texts.running(quantity(one.rows))}</span>
          {may("editor") && <CancelImport one={one} />}
        </div>
      )}
    </>
  );
}
