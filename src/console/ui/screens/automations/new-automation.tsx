import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { starterLetter } from "../../letter/new-blocks.ts";
import { useGoOn } from "../../frame/still-here.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** Asks for a name and how to begin. Then the canvas opens. */
export function NewAutomation({ opened, onClose }: Props) {
  const { automations: texts } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={texts.newOne} size="lg">
      <Form onClose={onClose} />
    </Modal>
  );
}

function Form({ onClose }: Pick<Props, "onClose">) {
  const { automations: texts, frame } = useTexts();
  const [name, setName] = useState("");
  const make = useMake(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate("welcome");
      }}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={texts.name}
          placeholder={texts.welcomeName}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {make.error && (
          <Alert color="red" role="alert">
            {make.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onClose}>
            {frame.cancel}
          </Button>
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate("empty")}>
            {texts.startEmpty}
          </Button>
          <Button type="submit" loading={make.isPending}>
            {texts.startWelcome}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Start = "empty" | "welcome";

function useMake(name: string) {
  const { automations: texts } = useTexts();
  const goOn = useGoOn();
  return useMutation({
    mutationFn: async (start: Start) => {
      const called = name.trim() || (start === "welcome" ? texts.welcomeName : texts.untitled);
      const { data } = await ok(api.POST("/api/v1/automations", { body: { name: called } }));
      if (start === "welcome")
        await ok(
          api.PATCH("/api/v1/automations/{id}", {
            params: { path: { id: data.id } },
            body: { flowJson: welcomeFlow(texts.welcomeSubject, starterLetter(texts.welcomeBody)) },
          }),
        );
      return data.id;
    },
    onSuccess: (id) => goOn(`/automations/${id}`),
  });
}

const welcomeFlow = (subject: string, mjml: string) => ({
  nodes: [
    { id: "new-subscriber", type: "trigger" as const, data: { trigger: "new_subscriber" as const } },
    { id: "send-email", type: "action" as const, data: { action: "send_email" as const, subject, mjml } },
  ],
  edges: [{ source: "new-subscriber", target: "send-email" }],
});
