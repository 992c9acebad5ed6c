import { Alert, Button, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { firstThousand } from "../../api/pages.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useAddress } from "../../frame/use-address.ts";
import { useGoOn } from "../../frame/still-here.ts";
import { Beginnings } from "../../letter-editor/beginnings.tsx";
import { firstLetter, type Beginning } from "../../letter/first-letter.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { makeCampaign } from "../campaign/draft/draft.ts";

const BEGINNINGS = ["blocks", "source", "template"] as const;

const GIVEN = { template: "", list: "", segment: "" };

/**
 * Asks for a name and how to begin. The campaign is made at once, as a draft, with the template and the list or
 * segment that the address names.
 */
export default function NewCampaignScreen() {
  const { campaigns } = useTexts();
  const goOn = useGoOn();
  const [{ template: given, list, segment }] = useAddress(GIVEN);
  const [name, setName] = useState("");
  const [beginning, setBeginning] = useState<Beginning>(given === "" ? "blocks" : "template");
  const [template, setTemplate] = useState<string | null>(given === "" ? null : given);
  const create = useCreate((id) =>
    goOn(`/campaigns/${encodeURIComponent(id)}?side=write`, { replace: true }),
  );
  const isReady = name.trim() !== "" && (beginning !== "template" || template !== null);
  return (
    <Page
      title={campaigns.new}
      says={campaigns.newSays}
      back={{ href: "/campaigns", label: campaigns.title }}
    >
      <form
        className="new-letter"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) create.mutate({ name: name.trim(), beginning, template, list, segment });
        }}
      >
        <Stack>
          <TextInput
            required
            autoFocus
            maxLength={200}
            label={campaigns.name}
            placeholder={campaigns.nameHint}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Beginnings offered={BEGINNINGS} value={beginning} onChange={setBeginning} />
          {beginning === "template" && <Templates value={template} onChange={setTemplate} />}
          {create.error && <LoadError error={create.error} />}
          <Button type="submit" disabled={!isReady} loading={create.isPending} className="new-letter-create">
            {campaigns.create}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}

type Chosen = {
  readonly name: string;
  readonly beginning: Beginning;
  readonly template: string | null;
  /** An id, or nothing: no audience is chosen yet. */
  readonly list: string;
  readonly segment: string;
};

function useCreate(onMade: (id: string) => void) {
  const { campaigns } = useTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, beginning, template, list, segment }: Chosen) => {
      const letter =
        beginning === "template" && template !== null
          ? await letterOf(template, name)
          : { subject: name, ...firstLetter(beginning, campaigns) };
      const { format, subject, body } = letter;
      const draft = { name, subject, body, ...(list === "" ? {} : { listId: list }) };
      const options = { format, personalize: true, ...(segment === "" ? {} : { segmentId: segment }) };
      return makeCampaign(draft, options);
    },
    onSuccess: (id) => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      onMade(id);
    },
  });
}

/** A template's letter for a campaign of this name, which is its subject until somebody writes one. */
async function letterOf(id: string, campaign: string) {
  const { data } = await ok(api.GET("/api/v1/templates/{id}", { params: { path: { id } } }));
  const { name, subject, format, body } = data;
  // The subject of a template begins as its name, which is for colleagues alone.
  return { subject: subject === name ? campaign : subject, format, body };
}

function Templates({
  value,
  onChange,
}: {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}) {
  const { campaigns, rules } = useTexts();
  const templates = useQuery({
    queryKey: ["templates", "all"],
    queryFn: ({ signal }) =>
      firstThousand((query) => ok(api.GET("/api/v1/templates", { params: { query }, signal }))),
  });
  const error = loadErrorOf(templates);
  if (error) return <LoadError error={error} retry={() => void templates.refetch()} />;
  if (templates.data?.length === 0) return <Alert color="gray">{campaigns.noTemplates}</Alert>;
  return (
    <Select
      searchable
      limit={100}
      required
      label={campaigns.whichTemplate}
      placeholder={rules.choose}
      value={value}
      onChange={onChange}
      data={(templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
