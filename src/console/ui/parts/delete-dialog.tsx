import type { ReactNode } from "react";
import { ConfirmByTyping } from "./confirm-by-typing.tsx";
import { LoadError } from "./states/load-error.tsx";
import { useDeletion } from "./use-deletion.ts";

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly name: string;
  readonly title: string;
  /** What else is deleted. */
  readonly says: ReactNode;
  readonly action: string;
  readonly remove: () => Promise<unknown>;
  /** The address of its list, and the queries of that list. */
  readonly list: string;
};

/** Deletes something that cannot be restored: asks for its name, and then opens the list. */
export function DeleteDialog({ opened, onClose, name, title, says, action, remove, list }: Props) {
  const deleting = useDeletion({ remove, path: `/${list}`, queries: { queryKey: [list] } });
  return (
    <ConfirmByTyping
      opened={opened}
      onClose={onClose}
      title={title}
      answer={name}
      action={action}
      isDangerous
      isBusy={deleting.isPending}
      onConfirm={() => deleting.mutate()}
    >
      {says}
      {deleting.error && <LoadError error={deleting.error} />}
    </ConfirmByTyping>
  );
}
