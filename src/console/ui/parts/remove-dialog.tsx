import { useMutation, useQueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ConfirmByTyping } from "./confirm-by-typing.tsx";
import { LoadError } from "./states/load-error.tsx";

type Props<T> = {
  /** What is asked about; null: nothing. */
  readonly removed: T | null;
  readonly onClose: () => void;
  /** What must be typed. */
  readonly nameOf: (removed: T) => string;
  readonly title: string;
  readonly says: ReactNode;
  readonly action: string;
  readonly remove: (id: string) => Promise<unknown>;
  /** The query of the table that it stands in. */
  readonly queryKey: QueryKey;
};

/** Removes a row of a table for good: asks for its name, and loads the table again. */
export function RemoveDialog<T extends { readonly id: string }>(props: Props<T>) {
  const { removed, onClose, nameOf, title, says, action, remove, queryKey } = props;
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <ConfirmByTyping
      opened={removed !== null}
      onClose={() => {
        // The next question is about another row.
        removing.reset();
        onClose();
      }}
      title={title}
      answer={removed === null ? "" : nameOf(removed)}
      action={action}
      isDangerous
      isBusy={removing.isPending}
      onConfirm={() => removed !== null && removing.mutate(removed.id)}
    >
      {says}
      {removing.error && <LoadError error={removing.error} />}
    </ConfirmByTyping>
  );
}
