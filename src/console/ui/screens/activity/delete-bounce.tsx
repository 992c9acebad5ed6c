import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { BounceMail } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useDeletion } from "../../parts/use-deletion.ts";
import { useTexts } from "../../texts/texts.tsx";

/** A deleted mail cannot be restored, so it asks for confirmation. Not for the subject, because many have none. */
export function DeleteBounce({ mail: { id, subject } }: { readonly mail: BounceMail }) {
  const { bounces: texts } = useTexts().activity;
  const [isAsking, setAsking] = useState(false);
  const deleting = useDeletion({
    remove: async () => {
      await ok(api.DELETE("/api/v1/bounces/{id}", { params: { path: { id } } }));
      notifications.show({ message: texts.deleted });
    },
    path: "/activity?tab=bounces",
    queries: { queryKey: ["bounces"], exact: true },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={texts.deleteAsk}
        name={subject || texts.noSubject}
        says={texts.deleteSays}
        keep={texts.keep}
        action={texts.delete}
        isBusy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        {deleting.error && <LoadError error={deleting.error} />}
      </Confirm>
    </>
  );
}
