import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { Beginnings } from "../../letter-editor/beginnings.tsx";
import { firstLetter } from "../../letter/first-letter.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Page } from "../../parts/page.tsx";
import { useGoOn } from "../../frame/still-here.ts";
import { useTexts } from "../../texts/texts.tsx";

const BEGINNINGS = ["blocks", "source"] as const;
type Beginning = (typeof BEGINNINGS)[number];

/** Asks for a name and how to begin. */
export default function NewTemplateScreen() {
  const { templates, campaigns } = useTexts();
  const [name, setName] = useState("");
  const [beginning, setBeginning] = useState<Beginning>("blocks");
  const create = useCreate();
  return (
    <Page
      title={templates.new}
      says={templates.newSays}
      back={{ href: "/templates", label: templates.title }}
    >
      <form
        className="new-letter"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") create.mutate({ name: name.trim(), beginning });
        }}
      >
        <Stack>
          <TextInput
            required
            autoFocus
            maxLength={200}
            label={campaigns.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Beginnings offered={BEGINNINGS} value={beginning} onChange={setBeginning} />
          {create.error && <LoadError error={create.error} />}
          <Button
            type="submit"
            disabled={name.trim() === ""}
            loading={create.isPending}
            className="new-letter-create"
          >
            {templates.create}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}

function useCreate() {
  const { campaigns } = useTexts();
  const queries = useQueryClient();
  const goOn = useGoOn();
  return useMutation({
    mutationFn: ({ name, beginning }: { name: string; beginning: Beginning }) =>
      ok(
        api.POST("/api/v1/templates", {
          body: { name, subject: name, ...firstLetter(beginning, campaigns) },
        }),
      ),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["templates"] });
      goOn(`/templates/${encodeURIComponent(data.id)}`, { replace: true });
    },
  });
}
