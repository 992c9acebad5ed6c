import { useFormat } from "../../frame/format.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = {
  readonly isSaving: boolean;
  /** Why it could not be saved. */
  readonly error: Error | null;
  readonly savedAt: Date | null;
};

/** Says whether what was typed is saved, and since when. */
export function SaveState({ isSaving, error, savedAt }: Props) {
  const { frame } = useTexts();
  const { time } = useFormat();
  const says =
    error !== null
      ? frame.notSaved(error.message)
      : isSaving
        ? frame.saving
        : savedAt && frame.saved(time(savedAt));
  return (
    <span className="save-state" role="status" data-bad={error !== null || undefined}>
      {says}
    </span>
  );
}
