import { Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyScope } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { ShownOnce } from "../../../parts/copies/shown-once.tsx";
import { DialogForm } from "../../../parts/saving/dialog-form.tsx";
import { useTexts } from "../../../texts/texts.tsx";

const SCOPES: readonly KeyScope[] = ["full", "send", "read"];

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Makes a key, which is shown only now. */
export function NewKey({ opened, onClose }: Props) {
  const { keys } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={keys.make}>
      <Making onClose={onClose} />
    </Modal>
  );
}

function Making({ onClose }: { readonly onClose: () => void }) {
  const { keys } = useTexts();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<KeyScope>("full");
  const making = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/keys", { body: { name: name.trim(), scope } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  if (making.data !== undefined)
    return <ShownOnce says={keys.once} label={keys.key} text={making.data.data.key} onClose={onClose} />;
  return (
    <DialogForm
      action={keys.make}
      isBusy={making.isPending}
      onSubmit={() => making.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={keys.name}
        description={keys.nameSays}
        value={name}
        error={making.error?.message}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Radio.Group label={keys.scope} value={scope} onChange={(value) => setScope(value)}>
        <Stack mt="xs" gap="xs">
          {SCOPES.map((one) => (
            <Radio key={one} value={one} label={keys.scopes[one].label} description={keys.scopes[one].says} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
