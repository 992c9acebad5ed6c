import type { Backup } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { useFormat } from "../../../frame/format.ts";
import { RemoveDialog } from "../../../parts/remove-dialog.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly backup: Backup | null; readonly onClose: () => void };

/** Asks for the time of day in its name. */
export function RemoveBackup({ backup, onClose }: Props) {
  const { backups } = useTexts();
  const { time } = useFormat();
  return (
    <RemoveDialog
      removed={backup}
      onClose={onClose}
      nameOf={({ createdAt }) => time(createdAt)}
      title={backups.removeTitle}
      says={backups.removeSays}
      action={backups.remove}
      remove={(id) => ok(api.DELETE("/api/v1/backups/{id}", { params: { path: { id } } }))}
      queryKey={["backups"]}
    />
  );
}
