import type { Import, ImportState } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { ImportBar } from "../../parts/import-bar.tsx";
import { StatusWord, type Tone } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { CancelImport } from "./cancel-import.tsx";

const TONES: Readonly<Record<ImportState, Tone>> = {
  RUNNING: "busy",
  DONE: "good",
  FAILED: "bad",
  CANCELLED: "quiet",
};

/** Whether it runs or how it ended. */
export function ImportStateWord({ state }: { readonly state: ImportState }) {
  const { imports } = useTexts();
  return <StatusWord tone={TONES[state]}>{imports.states[state]}</StatusWord>;
}

/** How much of its file is read while it runs, with the button that cancels it. */
export function ImportProgress({ one }: { readonly one: Import }) {
  const { imports } = useTexts();
  const { may } = useSession();
  const { quantity } = useFormat();
  return (
    <div className="imports-running">
      <ImportBar name={one.fileName} share={one.share ?? null} />
      <span className="imports-says">{imports.rows(quantity(one.rows))}</span>
      {may("editor") && <CancelImport one={one} />}
    </div>
  );
}
