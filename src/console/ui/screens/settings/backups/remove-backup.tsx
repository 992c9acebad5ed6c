import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Backup } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { useFormat } from "../../../frame/format.ts";
import { ConfirmByTyping } from "../../../parts/confirm-by-typing.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly backup: Backup | null; readonly onClose: () => void };

/** Asks for the time of day in its name. */
export function RemoveBackup({ backup, onClose }: Props) {
  const { backups } = useTexts();
  const { time } = useFormat();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: (id: string) => ok(api.DELETE("/api/v1/backups/{id}", { params: { path: { id } } })),
    onSuccess: onClose,
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ["backups"] }),
  });
  return (
    <ConfirmByTyping
      opened={backup !== null}
      onClose={onClose}
      title={backups.removeTitle}
      answer={backup === null ? "" : time(backup.createdAt)}
      action={backups.remove}
      isDangerous
      isBusy={removing.isPending}
      onConfirm={() => backup !== null && removing.mutate(backup.id)}
    >
      <Text>{backups.removeSays}</Text>
    </ConfirmByTyping>
  );
}
