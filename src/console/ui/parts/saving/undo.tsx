import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTexts } from "../../texts/texts.tsx";

const SHOWN_MS = 8_000;

/** Says what was done, with a button that undoes it. */
export function useUndo(): (says: string, undo: () => void) => void {
  const { frame } = useTexts();
  return (says, undo) => {
    const id = notifications.show({
      autoClose: SHOWN_MS,
      message: (
        <Group justify="space-between" wrap="nowrap">
          {says}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              undo();
            }}
          >
            {frame.undo}
          </Button>
        </Group>
      ),
    });
  };
}

/** Says why something failed, if the screen has no place for that. */
export const sayRefusal = (error: Error): void =>
  void notifications.show({ color: "red", message: error.message, autoClose: SHOWN_MS });
