import { Button, Group, Stack, TextInput, Title } from "@mantine/core";
import { Link, useLocation, useParams } from "wouter";
import type { Segment } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import type { IsSame } from "../../autosave/fields.ts";
import { useSharedDraft, type UsedDraft } from "../../autosave/use-shared-draft.ts";
import { RuleBuilder } from "../../audience/rule-builder.tsx";
import { asSegmentRules, EVERYBODY, type Json, type RuleDraft } from "../../audience/rules/model.ts";
import { readRules } from "../../audience/rules/read.ts";
import { writeRules } from "../../audience/rules/write.ts";
import { BASE } from "../../frame/page-facts.ts";
import { useSession } from "../../frame/session/session.tsx";
import { NotYet } from "../../parts/states/not-yet.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { Unsaved } from "../../parts/saving/unsaved.tsx";
import { Elsewhere } from "../../parts/saving/elsewhere.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { PeoplePreview } from "../../audience/people-preview.tsx";
import { SegmentUses } from "./segment-uses.tsx";

/** One segment, or a new one: its rules as chips, its contacts now, and what uses it. */
export default function SegmentScreen() {
  const { id = "new" } = useParams();
  return <OneSegment key={id} id={id} />;
}

type Draft = { readonly name: string; readonly rules: RuleDraft; readonly updatedAt?: string };
const NEW: Draft = { name: "", rules: EVERYBODY };

const draftOf = ({ rules, ...segment }: Segment): Draft => ({ ...segment, rules: readRules(rules as Json) });
const bodyOf = ({ name, rules }: Partial<Draft>) => ({
  ...(name !== undefined && { name }),
  ...(rules !== undefined && { rules: asSegmentRules(writeRules(rules).rules) }),
});

/** Compares what would be saved; a condition that is not finished counts as a change too. */
const isSame: IsSame = (a, b) => textOf(a) === textOf(b);
const textOf = (value: unknown): string =>
  JSON.stringify(typeof value === "object" && value !== null ? writeRules(value as RuleDraft) : value) ?? "";

/** Campaigns go by a segment at once: it is saved by its button. */
function useSegment(id: string, mayEdit: boolean) {
  const [, navigate] = useLocation();
  const path = { params: { path: { id } } };
  const isNew = id === "new";
  const { workspace } = useSession();
  return useSharedDraft<Draft>({
    // A new one has no id yet: on one device, people of several workspaces may be writing one.
    name: isNew ? `segment.new.${workspace.id}` : `segment.${id}`,
    key: ["segments", "one", id],
    shownIn: "segments",
    mayEdit,
    waits: () => true,
    isSame,
    load: async (signal) =>
      isNew ? NEW : draftOf((await ok(api.GET("/api/v1/segments/{id}", { ...path, signal }))).data),
    async save(changes) {
      if (!isNew)
        return draftOf(
          (await ok(api.PATCH("/api/v1/segments/{id}", { ...path, body: bodyOf(changes) }))).data,
        );
      const { name, rules } = { ...NEW, ...changes };
      const body = { name, rules: asSegmentRules(writeRules(rules).rules) };
      const made = (await ok(api.POST("/api/v1/segments", { body }))).data;
      // Whoever has gone elsewhere meanwhile is left there.
      if (location.pathname === `${BASE}/segments/new`) navigate(`/segments/${made.id}`, { replace: true });
      return draftOf(made);
    },
  });
}

function OneSegment({ id }: { readonly id: string }) {
  const { segments } = useTexts();
  const mayEdit = useSession().may("editor");
  const shared = useSegment(id, mayEdit);
  const { draft, saved, set } = shared;
  if (draft === null || saved === undefined) return <NotYet title={segments.title} {...shared} />;
  const { rules, problems } = writeRules(draft.rules);
  const isReady = rules !== null && problems.length === 0;
  const isNew = id === "new";
  return (
    <Page
      title={isNew ? segments.newTitle : saved.name}
      back={{ href: "/segments", label: segments.title }}
      actions={
        <>
          <SaveState {...shared.status} />
          {!isNew && !shared.isGone && mayEdit && <WriteToThem id={id} />}
        </>
      }
    >
      <ViewOnly />
      <Elsewhere shared={shared} names={{ name: segments.name, rules: segments.who }} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void shared.save();
        }}
      >
        <Stack gap="lg">
          <TextInput
            className="lists-form"
            required
            label={segments.name}
            readOnly={!mayEdit}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <section aria-labelledby="who">
            <Title order={2} id="who" mb="xs">
              {segments.who}
            </Title>
            <RuleBuilder draft={draft.rules} onChange={(next) => set({ rules: next })} disabled={!mayEdit} />
          </section>
          {mayEdit && <SaveLine shared={shared} isNew={isNew} isReady={isReady} />}
        </Stack>
      </form>
      <PeoplePreview rules={isReady ? rules : null} isEmpty={rules === null} />
      {!isNew && <SegmentUses segment={{ id, name: saved.name }} mayEdit={mayEdit} />}
    </Page>
  );
}

type SaveLineProps = {
  readonly shared: UsedDraft<Draft>;
  readonly isNew: boolean;
  readonly isReady: boolean;
};

function SaveLine({ shared, isNew, isReady }: SaveLineProps) {
  const { segments } = useTexts();
  return (
    <Group>
      <Button type="submit" disabled={!isReady || !shared.isChanged} loading={shared.status.isSaving}>
        {isNew ? segments.saveAs : segments.save}
      </Button>
      <Unsaved shared={shared} says={isNew ? segments.unsavedNew : segments.unsaved} />
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
