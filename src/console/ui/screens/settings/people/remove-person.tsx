import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { ConfirmByTyping } from "../../../parts/confirm-by-typing.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly person: User | null; readonly onClose: () => void };

/** Removes somebody from the workspace. It asks for their address. */
export function RemovePerson({ person, onClose }: Props) {
  const { people } = useTexts();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: (id: string) => ok(api.DELETE("/api/v1/users/{id}", { params: { path: { id } } })),
    onSuccess: onClose,
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ["users"] }),
  });
  return (
    <ConfirmByTyping
      opened={person !== null}
      onClose={onClose}
      title={people.removeTitle}
      answer={person?.email ?? ""}
      action={people.remove}
      isDangerous
      isBusy={removing.isPending}
      onConfirm={() => person !== null && removing.mutate(person.id)}
    >
      <Text>{people.removeSays}</Text>
    </ConfirmByTyping>
  );
}
