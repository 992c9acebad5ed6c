import { Alert, Button, Group } from "@mantine/core";
import type { KeptDraft } from "../../autosave/use-kept-draft.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useUndo } from "./undo.tsx";

type Props<T> = { readonly kept: KeptDraft<T> };

/** Somebody else has saved what is being changed here. Whoever comes back chooses; neither is lost by accident. */
export function Overtaken<T>({ kept }: Props<T>) {
  const { frame } = useTexts();
  const undo = useUndo();
  if (!kept.isOvertaken) return null;
  const { draft } = kept;
  return (
    <Alert color="yellow" role="alert" mb="md" title={frame.overtaken}>
      <p className="load-error-says">{frame.overtakenSays}</p>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            kept.discard();
            undo(frame.discarded, () => kept.change(draft));
          }}
        >
          {frame.takeTheirs}
        </Button>
        <Button size="xs" variant="default" onClick={() => kept.keepMine()}>
          {frame.keepMine}
        </Button>
      </Group>
    </Alert>
  );
}
