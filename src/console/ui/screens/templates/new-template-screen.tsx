import { Button, Radio, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, ok } from "../../api/client.ts";
import { starterLetter } from "../../letter/new-blocks.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Page } from "../../parts/page.tsx";
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
        className="new-campaign"
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
          <Radio.Group
            label={campaigns.begin}
            value={beginning}
            onChange={(next) => setBeginning(next === "source" ? "source" : "blocks")}
          >
            <div className="new-campaign-ways">
              {BEGINNINGS.map((one) => (
                <Radio.Card key={one} value={one} className="new-campaign-way" aria-label={campaigns[one]}>
                  <Radio.Indicator />
                  <div>
                    <p className="new-campaign-name">{campaigns[one]}</p>
                    <p className="new-campaign-says">
                      {one === "blocks" ? campaigns.blocksSays : campaigns.sourceSays}
                    </p>
                  </div>
                </Radio.Card>
              ))}
            </div>
          </Radio.Group>
          {create.error && <LoadError error={create.error} />}
          <Button
            type="submit"
            disabled={name.trim() === ""}
            loading={create.isPending}
            className="new-campaign-create"
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
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: ({ name, beginning }: { name: string; beginning: Beginning }) => {
      const letter =
        beginning === "blocks"
          ? ({ format: "mjml", body: starterLetter(campaigns.firstText) } as const)
          : ({ format: "html", body: campaigns.firstHtml } as const);
      return ok(api.POST("/api/v1/templates", { body: { name, subject: name, ...letter } }));
    },
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["templates"] });
      navigate(`/templates/${encodeURIComponent(data.id)}`, { replace: true });
    },
  });
}
