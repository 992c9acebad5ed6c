import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmByNumber } from "./confirm-by-number.tsx";
import { LoadError } from "./states/load-error.tsx";
import { useDeletion } from "./use-deletion.ts";

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

/** Deletes something that cannot be restored: asks for its name, and then opens the list. */
export function DeleteByName({ name, texts, remove, list }: Props) {
  const [isOpen, setOpen] = useState(false);
  const deleting = useDeletion({ remove, path: `/${list}`, queries: { queryKey: [list] } });
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
      <ConfirmByNumber
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={texts.deleteTitle(name)}
        answer={name}
        action={texts.delete}
        isDangerous
        isBusy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        {texts.deleteSays}
        {deleting.error && <LoadError error={deleting.error} />}
      </ConfirmByNumber>
    </div>
  );
}
