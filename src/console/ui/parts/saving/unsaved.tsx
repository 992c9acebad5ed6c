import { Button } from "@mantine/core";
import type { KeptDraft } from "../../autosave/use-kept-draft.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useUndo } from "./undo.tsx";

type Props<T> = { readonly kept: KeptDraft<T>; readonly says: string };

/** Says that something is not saved yet, with a button that discards it; that can be undone. */
export function Unsaved<T>({ kept, says }: Props<T>) {
  const { frame } = useTexts();
  const undo = useUndo();
  if (!kept.isChanged) return null;
  const { draft } = kept;
  return (
    <span className="unsaved">
      <span role="status">{says}</span>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => {
          kept.discard();
          undo(frame.discarded, () => kept.change(draft));
        }}
      >
        {frame.discard}
      </Button>
    </span>
  );
}
