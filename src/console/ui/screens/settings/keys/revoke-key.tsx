import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Key } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { ConfirmByTyping } from "../../../parts/confirm-by-typing.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly revoked: Key | null; readonly onClose: () => void };

/** Revoking a key cannot be undone, so it asks for the key's name. */
export function RevokeKey({ revoked, onClose }: Props) {
  const { keys } = useTexts();
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: (id: string) => ok(api.DELETE("/api/v1/keys/{id}", { params: { path: { id } } })),
    onSuccess: onClose,
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  return (
    <ConfirmByTyping
      opened={revoked !== null}
      onClose={onClose}
      title={keys.revokeTitle}
      answer={revoked?.name || (revoked?.prefix ?? "")}
      action={keys.revoke}
      isDangerous
      isBusy={revoking.isPending}
      onConfirm={() => revoked !== null && revoking.mutate(revoked.id)}
    >
      <Text>{keys.revokeSays}</Text>
    </ConfirmByTyping>
  );
}
