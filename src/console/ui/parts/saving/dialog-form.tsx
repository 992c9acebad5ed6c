import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../../texts/texts.tsx";

type Props = {
  readonly children: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly isOff?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
};

/** What a dialog asks for, and under it the two ways out: Cancel, and the button that does it, which Enter presses too. */
export function DialogForm({ children, action, isBusy, isOff = false, onSubmit, onClose }: Props) {
  const { frame } = useTexts();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          <Button type="submit" disabled={isOff} loading={isBusy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
