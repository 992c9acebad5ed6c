import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { useRuleSentences } from "../../audience/choices.ts";
import { readRules } from "../../audience/rules/read.ts";
import { asSegmentRules, type Json } from "../../audience/rules/model.ts";
import { sentenceOf } from "../../audience/rules/sentence.ts";
import { useGoOn } from "../../frame/still-here.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly opened: boolean; readonly onClose: () => void; readonly rules: Json };

/** Saves the filter as a segment, to which campaigns can be sent. */
export function SaveSegment({ opened, onClose, rules }: Props) {
  const { contacts } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={contacts.saveSegment}>
      <Fields rules={rules} />
    </Modal>
  );
}

function Fields({ rules }: Pick<Props, "rules">) {
  const { contacts } = useTexts();
  const { words, naming } = useRuleSentences();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const [name, setName] = useState("");
  const saving = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/segments", { body: { name, rules: asSegmentRules(rules) } })),
    onSuccess: async ({ data }) => {
      goOn(`/segments/${data.id}`);
      await queries.invalidateQueries({ queryKey: ["segments"] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <p className="contacts-sentence">{sentenceOf(readRules(rules), words, naming)}</p>
        <TextInput
          data-autofocus
          required
          label={contacts.segmentName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {saving.error && (
          <Alert color="red" role="alert">
            {saving.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {contacts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
