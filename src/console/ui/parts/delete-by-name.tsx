import { Button } from "@mantine/core";
import { useState } from "react";
import { DeleteDialog } from "./delete-dialog.tsx";

type Props = {
  readonly name: string;
  /** The label of the button, the question, and what else is deleted. */
  readonly texts: {
    readonly delete: string;
    readonly deleteTitle: (name: string) => string;
    readonly deleteSays: string;
  };
  readonly remove: () => Promise<unknown>;
  /** The address of its list, and the queries of that list. */
  readonly list: string;
};

/** A button that deletes something by its name. */
export function DeleteByName({ name, texts, remove, list }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button
        className="delete-by-name"
        variant="subtle"
        c="var(--mantine-color-error)"
        onClick={() => setOpen(true)}
      >
        {texts.delete}
      </Button>
      <DeleteDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        name={name}
        title={texts.deleteTitle(name)}
        says={texts.deleteSays}
        action={texts.delete}
        remove={remove}
        list={list}
      />
    </div>
  );
}
