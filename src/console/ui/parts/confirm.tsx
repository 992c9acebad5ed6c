import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What it is about. It may be long. */
  readonly name: string;
  readonly says: string;
  /** The button that changes nothing, and the one that cannot be undone. */
  readonly keep: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  /** What went wrong. */
  readonly children?: ReactNode;
};

/** Asks before something that cannot be undone and harms little: no name has to be typed (`ConfirmByTyping`). */
export function Confirm(props: Props) {
  const { opened, onClose, title, name, says, keep, action, isBusy, onConfirm, children } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text className="confirm-name">{name}</Text>
        <Text>{says}</Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {keep}
          </Button>
          <Button color="red" loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
