import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { BounceMail } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { sayRefusal } from "../../parts/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** A mail that is deleted cannot be brought back, so it asks. */
export function DeleteBounce({ mail: { id, subject } }: { readonly mail: BounceMail }) {
  const { bounces: texts } = useTexts().activity;
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/bounces/{id}", { params: { path: { id } } })),
    onError: sayRefusal,
    onSuccess: async () => {
      navigate("/activity?tab=bounces");
      notifications.show({ message: texts.deleted });
      await queries.invalidateQueries({ queryKey: ["bounces"], exact: true });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {texts.delete}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={texts.deleteAsk}>
        <Stack>
          <Text className="activity-long">{subject || texts.noSubject}</Text>
          <Text>{texts.deleteSays}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
              {texts.keep}
            </Button>
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {texts.delete}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
