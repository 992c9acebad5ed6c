import { Alert, Button, Group, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, ok } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Adds one person, with what they agreed to. */
export function NewContact({ opened, onClose }: Props) {
  const { contacts } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={contacts.add}>
      <Fields />
    </Modal>
  );
}

function Fields() {
  const { contacts } = useTexts();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [person, setPerson] = useState({ email: "", firstName: "", lastName: "", status: "SUBSCRIBED" });
  const adding = useMutation({
    mutationFn: () =>
      ok(api.POST("/api/v1/contacts", { body: { ...person, status: person.status as "PENDING" } })),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ["contacts"] });
      navigate(`/contacts/${data.id}`);
    },
  });
  const field = (name: "email" | "firstName" | "lastName") => ({
    label: contacts[name],
    value: person[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setPerson({ ...person, [name]: event.currentTarget.value }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Stack>
        <TextInput {...field("email")} type="email" required data-autofocus autoComplete="off" />
        <Group grow>
          <TextInput {...field("firstName")} />
          <TextInput {...field("lastName")} />
        </Group>
        <NativeSelect
          label={contacts.agreed}
          value={person.status}
          onChange={(event) => setPerson({ ...person, status: event.currentTarget.value })}
          data={(["SUBSCRIBED", "PENDING"] as const).map((status) => ({
            value: status,
            label: contacts.agreements[status],
          }))}
        />
        {adding.error && (
          <Alert color="red" role="alert">
            {adding.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={adding.isPending}>
            {contacts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
