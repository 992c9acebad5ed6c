import { Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import type { Role } from "../../../api/session.ts";
import { ShownOnce } from "../../../parts/copies/shown-once.tsx";
import { DialogForm } from "../../../parts/saving/dialog-form.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useRoleOptions } from "./role-options.ts";

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Makes a link by which somebody joins. Nothing is mailed. */
export function InvitePerson({ opened, onClose }: Props) {
  const { people } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={people.invite}>
      <Inviting onClose={onClose} />
    </Modal>
  );
}

function Inviting({ onClose }: { readonly onClose: () => void }) {
  const { people } = useTexts();
  const queries = useQueryClient();
  const roles = useRoleOptions();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const inviting = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/users", { body: { email: email.trim(), role } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["users"] }),
  });
  if (inviting.data !== undefined)
    return (
      <ShownOnce
        says={people.linkSays}
        label={people.link}
        text={inviting.data.data.link}
        onClose={onClose}
      />
    );
  return (
    <DialogForm
      action={people.makeLink}
      isBusy={inviting.isPending}
      onSubmit={() => inviting.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        type="email"
        required
        withAsterisk={false}
        label={people.email}
        value={email}
        error={inviting.error?.message}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Radio.Group label={people.role} value={role} onChange={(value) => setRole(value)}>
        <Stack mt="xs" gap="xs">
          {roles.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} description={people.roles[value]} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
