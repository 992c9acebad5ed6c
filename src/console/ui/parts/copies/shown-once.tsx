import { Alert, Button, Group, Stack } from "@mantine/core";
import { SHOWN_ONCE } from "../../frame/held/held-dialogs.ts";
import { useTexts } from "../../texts/texts.tsx";
import { CopyLine } from "./copy-line.tsx";

type Props = {
  /** Why it has to be copied now. */
  readonly says: string;
  readonly label: string;
  readonly text: string;
  readonly onClose: () => void;
};

/** A secret that was made just now and cannot be shown again. */
export function ShownOnce({ says, label, text, onClose }: Props) {
  const { keys } = useTexts();
  return (
    <Stack {...SHOWN_ONCE}>
      <Alert color="yellow">{says}</Alert>
      <CopyLine text={text} label={label} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{keys.done}</Button>
      </Group>
    </Stack>
  );
}
