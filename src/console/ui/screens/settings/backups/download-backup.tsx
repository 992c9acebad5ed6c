import { Modal, PasswordInput, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Backup } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { ONLY_ANSWERS } from "../../../frame/held/held-dialogs.ts";
import { facts } from "../../../frame/page-facts.ts";
import { DialogForm } from "../../../parts/saving/dialog-form.tsx";
import { useTexts } from "../../../texts/texts.tsx";

type Props = { readonly backup: Backup | null; readonly onClose: () => void };

/** Asks for the password: somebody who finds a browser signed in must not be able to take the data. */
export function DownloadBackup({ backup, onClose }: Props) {
  const { backups } = useTexts();
  return (
    <Modal opened={backup !== null} onClose={onClose} title={backups.downloadTitle}>
      {backup !== null && <Asked id={backup.id} onClose={onClose} />}
    </Modal>
  );
}

function Asked({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { account, backups } = useTexts();
  const [password, setPassword] = useState("");
  const unlocking = useMutation({
    mutationFn: () =>
      ok(api.POST("/api/v1/backups/{id}/unlock", { params: { path: { id } }, body: { password } })),
    onSuccess() {
      takeFile(`${facts.root}/api/v1/backups/${id}/file`);
      notifications.show({ message: backups.begun });
      onClose();
    },
  });
  return (
    <DialogForm
      action={backups.download}
      isBusy={unlocking.isPending}
      onSubmit={() => unlocking.mutate()}
      onClose={onClose}
    >
      <Text>{backups.downloadSays}</Text>
      <PasswordInput
        {...ONLY_ANSWERS}
        data-autofocus
        label={account.current}
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        error={unlocking.error?.message}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

/** Downloaded by the browser itself to the disk: a database may be larger than a page's memory. */
function takeFile(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
