import type { Import, ImportState } from "../../../api/api.gen.ts";
import { useFormat } from "../../../frame/format.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { ImportBar } from "../../../parts/import-bar.tsx";
import { StatusWord, type Tone } from "../../../parts/status-word.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { CancelImport } from "./cancel-import.tsx";

const TONES: Readonly<Record<ImportState, Tone>> = {
  RUNNING: "busy",
  DONE: "good",
  FAILED: "bad",
  CANCELLED: "quiet",
};

/** Where an import stands, with how much of its file is read while it runs. */
export function ImportStanding({ one }: { readonly one: Import }) {
  const { imports: texts } = useTexts().activity;
  const { may } = useSession();
  const { quantity } = useFormat();
  return (
    <>
      <StatusWord tone={TONES[one.state]}>{texts.states[one.state]}</StatusWord>
      {one.state === "RUNNING" && (
        <div className="activity-running">
          <ImportBar name={one.fileName} share={one.share ?? null} />
          <span className="activity-quiet">{texts.running(quantity(one.rows))}</span>
          {may("editor") && <CancelImport one={one} />}
        </div>
      )}
    </>
  );
}
