import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { ONLY_ANSWERS } from "../frame/held/held-dialogs.ts";
import { useIsGone } from "../frame/still-here.ts";
import { useTexts } from "../texts/texts.tsx";
import { isTyped } from "./is-typed.ts";

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly children: ReactNode;
  /** What must be typed: the number, or the name. */
  readonly answer: string;
  /** What the button says: "Send to 1,180 people". */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  /** @param isClosed whether the question was closed since, by whatever way: then it is not to be done any more */
  readonly onConfirm: (isClosed: () => boolean) => void;
};

/** A name could be read as a part of the question; a number and a time cannot. */
const IS_NAME = /\p{L}|^\P{N}*$/u;

/** Confirms what cannot be undone. The person types the number or the name, instead of pressing "OK". */
export function ConfirmByTyping(props: Props) {
  const { opened, onClose, title } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Asked {...props} />
    </Modal>
  );
}

function Asked({ children, answer, action, isDangerous = false, isBusy = false, onClose, onConfirm }: Props) {
  const { frame } = useTexts();
  const [typed, setTyped] = useState("");
  const isGone = useIsGone();
  const isRight = isTyped(typed, answer);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight && !isBusy) onConfirm(() => isGone.current);
      }}
    >
      <Stack>
        {children}
        <TextInput
          {...ONLY_ANSWERS}
          data-autofocus
          autoComplete="off"
          label={frame.typeToConfirm(IS_NAME.test(answer) ? frame.quoted(answer) : answer)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          <Button
            type="submit"
            disabled={!isRight}
            loading={isBusy}
            {...(isDangerous ? { color: "red" } : {})}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
