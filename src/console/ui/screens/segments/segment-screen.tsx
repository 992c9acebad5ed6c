import { Alert, Button, Group, Stack, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Segment, SegmentRules } from "../../api/api.gen.ts";
import { ApiError, api, ok } from "../../api/client.ts";
import { useKeptDraft, type KeptDraft } from "../../autosave/use-kept-draft.ts";
import { RuleBuilder } from "../../audience/rule-builder.tsx";
import { EVERYBODY, type Json, type RuleDraft } from "../../audience/rules/model.ts";
import { readRules } from "../../audience/rules/read.ts";
import { writeRules } from "../../audience/rules/write.ts";
import { useSession } from "../../frame/session/session.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { Unsaved } from "../../parts/saving/unsaved.tsx";
import { Overtaken } from "../../parts/saving/overtaken.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { PeoplePreview } from "../../audience/people-preview.tsx";
import { SegmentUses } from "./segment-uses.tsx";

/** One segment, or a new one: its rules as chips, its contacts now, and what uses it. */
export default function SegmentScreen() {
  const { id = "new" } = useParams();
  const { segments } = useTexts();
  const query = useQuery({
    queryKey: ["segments", "one", id],
    enabled: id !== "new",
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/segments/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
  });
  if (id === "new") return <OneSegment key="new" segment={null} />;
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  if (query.error) return <LoadError error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <Page title={segments.title}>
        <Loading />
      </Page>
    );
  return <OneSegment key={id} segment={query.data} />;
}

function useSaving(segment: Segment | null, onSaved: () => void) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const saving = useMutation({
    mutationFn: async ({ name, rules }: { readonly name: string; readonly rules: Json }) => {
      const body = { name, rules: rules as SegmentRules };
      if (segment === null) return (await ok(api.POST("/api/v1/segments", { body }))).data;
      const params = { path: { id: segment.id } };
      return (await ok(api.PATCH("/api/v1/segments/{id}", { params, body }))).data;
    },
    onSuccess: async (saved) => {
      onSaved();
      setSavedAt(new Date());
      queries.setQueryData(["segments", "one", saved.id], saved);
      await queries.invalidateQueries({ queryKey: ["segments"] });
      if (segment === null) navigate(`/segments/${saved.id}`, { replace: true });
    },
  });
  return { saving, savedAt };
}

function useSegmentDraft(segment: Segment | null, mayEdit: boolean): KeptDraft<SegmentDraft> {
  const saved = useMemo(() => draftOf(segment), [segment]);
  return useKeptDraft(mayEdit ? `segment.${segment?.id ?? "new"}` : null, saved, isSame);
}

function OneSegment({ segment }: { readonly segment: Segment | null }) {
  const { segments } = useTexts();
  const mayEdit = useSession().may("editor");
  const kept = useSegmentDraft(segment, mayEdit);
  const { name, rules: draft } = kept.draft;
  const { saving, savedAt } = useSaving(segment, kept.forget);
  const { rules, problems } = writeRules(draft);
  const isReady = rules !== null && problems.length === 0;
  return (
    <Page
      title={segment?.name ?? segments.newTitle}
      back={{ href: "/segments", label: segments.title }}
      actions={
        <>
          <SaveState isSaving={saving.isPending} error={null} savedAt={kept.isChanged ? null : savedAt} />
          {segment && mayEdit && <WriteToThem id={segment.id} />}
        </>
      }
    >
      <Overtaken kept={kept} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) saving.mutate({ name, rules });
        }}
      >
        <Stack gap="lg">
          <TextInput
            className="lists-form"
            required
            label={segments.name}
            readOnly={!mayEdit}
            value={name}
            onChange={(event) => kept.change({ ...kept.draft, name: event.currentTarget.value })}
          />
          <section aria-labelledby="who">
            <Title order={2} id="who" mb="xs">
              {segments.who}
            </Title>
            <RuleBuilder
              draft={draft}
              onChange={(next) => kept.change({ ...kept.draft, rules: next })}
              disabled={!mayEdit}
            />
          </section>
          {saving.error && (
            <Alert color="red" role="alert">
              {saving.error.message}
            </Alert>
          )}
          {mayEdit && (
            <SaveLine kept={kept} isNew={segment === null} isReady={isReady} isBusy={saving.isPending} />
          )}
        </Stack>
      </form>
      <PeoplePreview rules={isReady ? rules : null} isEmpty={rules === null} />
      {segment && <SegmentUses segment={segment} mayEdit={mayEdit} />}
    </Page>
  );
}

type SegmentDraft = { readonly name: string; readonly rules: RuleDraft };

const draftOf = (segment: Segment | null): SegmentDraft => ({
  name: segment?.name ?? "",
  rules: segment === null ? EVERYBODY : readRules(segment.rules as Json),
});

/** Compares what would be saved; a condition that is not finished counts as a change too. */
const isSame = (a: SegmentDraft, b: SegmentDraft): boolean =>
  a.name === b.name && JSON.stringify(writeRules(a.rules)) === JSON.stringify(writeRules(b.rules));

type SaveLineProps = {
  readonly kept: KeptDraft<SegmentDraft>;
  readonly isNew: boolean;
  readonly isReady: boolean;
  readonly isBusy: boolean;
};

function SaveLine({ kept, isNew, isReady, isBusy }: SaveLineProps) {
  const { segments } = useTexts();
  return (
    <Group>
      <Button type="submit" disabled={!isReady || !kept.isChanged} loading={isBusy}>
        {isNew ? segments.saveAs : segments.save}
      </Button>
      <Unsaved kept={kept} says={isNew ? segments.unsavedNew : segments.unsaved} />
    </Group>
  );
}

function WriteToThem({ id }: { readonly id: string }) {
  const { segments } = useTexts();
  return (
    <Button component={Link} href={`/campaigns/new?segment=${id}`} variant="default">
      {segments.writeTo}
    </Button>
  );
}
