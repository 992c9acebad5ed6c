import { Button } from "@mantine/core";
import { useState } from "react";
import { ConfirmByNumber } from "./confirm-by-number.tsx";
import { LoadError } from "./states/load-error.tsx";
import { useDeletion } from "./use-deletion.ts";

type Props = {
  readonly name: string;
  /** What the button says, the question, and what goes with it. */
  readonly texts: {
    readonly delete: string;
    readonly deleteTitle: (name: string) => string;
    readonly deleteSays: string;
  };
  readonly remove: () => Promise<unknown>;
  /** Where it stood in a list, and the queries of that list. */
  readonly list: string;
};

/** Deletes what cannot be brought back: it asks for the name, and goes to the list where it stood. */
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
