import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Import } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

/** Ends an import before the end of its file. It cannot be continued, so it asks for confirmation. */
export function CancelImport({ one: { id, fileName } }: { readonly one: Import }) {
  const { imports: texts } = useTexts().activity;
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/imports/{id}", { params: { path: { id } } })),
    onError: sayRefusal,
    onSettled: () => {
      setAsking(false);
      return queries.invalidateQueries({ queryKey: ["imports"] });
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.cancelOf(fileName)}
        onClick={() => setAsking(true)}
      >
        {texts.cancel}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={texts.cancelAsk}>
        <Stack>
          <Text className="activity-long">{fileName}</Text>
          <Text>{texts.cancelSays}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
              {texts.keepGoing}
            </Button>
            <Button color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {texts.cancel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
