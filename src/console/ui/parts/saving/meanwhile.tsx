import { Button, Group } from "@mantine/core";
import type { UsedField } from "../../autosave/use-typed-field.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly of: Pick<UsedField<unknown>, "elsewhere" | "discard" | "keepMine"> };

/** Under a field: somebody else has saved something else there since it was typed into. Neither is lost by accident. */
export function Meanwhile({ of: { elsewhere, discard, keepMine } }: Props) {
  const { frame } = useTexts();
  if (elsewhere === null) return null;
  return (
    <div role="alert" className="meanwhile">
      <p>{frame.savedMeanwhile(elsewhere)}</p>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={discard}>
          {frame.takeTheirs}
        </Button>
        <Button size="compact-sm" variant="default" onClick={keepMine}>
          {frame.keepMine}
        </Button>
      </Group>
    </div>
  );
}
