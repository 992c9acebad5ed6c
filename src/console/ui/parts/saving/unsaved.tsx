import { Button } from "@mantine/core";
import type { UsedDraft } from "../../autosave/use-shared-draft.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useUndo } from "./undo.tsx";

/** Discards something, and offers to take that back. */
export function useDiscarding(): (discard: () => () => void) => void {
  const { frame } = useTexts();
  const undo = useUndo();
  return (discard) => undo(frame.discarded, discard());
}

type Props<T extends object> = {
  readonly shared: Pick<UsedDraft<T>, "isChanged" | "discard">;
  readonly says: string;
};

/** Says that something is not saved yet, with a button that discards it; that can be undone. */
export function Unsaved<T extends object>({ shared, says }: Props<T>) {
  const { frame } = useTexts();
  const discard = useDiscarding();
  if (!shared.isChanged) return null;
  return (
    <span className="unsaved">
      <span role="status">{says}</span>
      <Button size="compact-sm" variant="subtle" onClick={() => discard(shared.discard)}>
        {frame.discard}
      </Button>
    </span>
  );
}
