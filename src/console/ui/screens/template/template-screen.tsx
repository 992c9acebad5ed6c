import { Button, JsonInput, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { Link, useParams } from "wouter";
import type { LetterProblem, TemplateWithBody } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSharedDraft } from "../../autosave/use-shared-draft.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { LetterEditor } from "../../letter-editor/letter-editor.tsx";
import { useProblemPlaces } from "../../letter-editor/use-problem-places.ts";
import type { WritingWay } from "../../letter-editor/writing-ways.ts";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";
import { NotYet } from "../../parts/states/not-yet.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { Page } from "../../parts/page.tsx";
import { Elsewhere } from "../../parts/saving/elsewhere.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { TemplateLook } from "./template-look.tsx";

type Draft = Pick<TemplateWithBody, "name" | "subject" | "format" | "body">;

export default function TemplateScreen() {
  const { id } = useParams<{ id: string }>();
  return <Writing key={id} id={id} />;
}

/** A template that is being written. It is saved automatically. An emptied field is not. */
function useTemplateDraft(id: string, mayEdit: boolean) {
  const path = { params: { path: { id } } };
  return useSharedDraft<TemplateWithBody>({
    name: `template.${id}`,
    key: ["template", id],
    shownIn: "templates",
    mayEdit,
    load: async (signal) => (await ok(api.GET("/api/v1/templates/{id}", { ...path, signal }))).data,
    async save(changes) {
      const body = Object.fromEntries(Object.entries(changes).filter(([, value]) => value.trim() !== ""));
      if (Object.keys(body).length === 0) return {};
      return { ...body, ...(await ok(api.PATCH("/api/v1/templates/{id}", { ...path, body }))).data };
    },
  });
}

function Writing({ id }: { readonly id: string }) {
  const { sending, templates } = useTexts();
  const isReadOnly = !useSession().may("editor");
  const shared = useTemplateDraft(id, !isReadOnly);
  const { draft, saved, set, status } = shared;
  if (draft === null || saved === undefined) return <NotYet title={templates.title} {...shared} />;
  return (
    <Page
      wide
      title={draft.name || saved.name}
      back={{ href: "/templates", label: templates.title }}
      beside={<SaveState {...status} />}
      actions={!isReadOnly && <Actions template={saved} />}
    >
      <ViewOnly says={templates.viewer} />
      <Elsewhere shared={shared} names={sending.fields} />
      <Panels draft={draft} set={set} isReadOnly={isReadOnly} saves={status.saves} />
    </Page>
  );
}

type PanelsProps = {
  readonly draft: Draft & { readonly id: string };
  readonly set: (change: Partial<Draft>) => void;
  readonly isReadOnly: boolean;
  readonly saves: number;
};

function Panels({ draft, set, isReadOnly, saves }: PanelsProps) {
  const { letter } = useTexts();
  const [{ way: chosen }, setAddress] = useAddress({ way: "" });
  const [variables, setVariables] = useState("{}");
  const [problems, setProblems] = useState<readonly LetterProblem[]>([]);
  const byDefault: WritingWay = draft.format === "mjml" ? "blocks" : "source";
  const way: WritingWay = chosen === "blocks" || chosen === "source" ? chosen : byDefault;
  const show = useCallback((next: WritingWay) => setAddress({ way: next }), [setAddress]);
  const places = useProblemPlaces(draft, way, show);
  return (
    <div className="writing">
      <div className="writing-letter">
        <Head draft={draft} set={set} isReadOnly={isReadOnly} />
        <LetterEditor
          written={draft}
          onChange={({ format, body }) =>
            set({ ...(format ? { format } : {}), ...(body === undefined ? {} : { body }) })
          }
          hasText={false}
          problems={problems}
          isReadOnly={isReadOnly}
          way={way}
          onWay={show}
          place={places.place}
        />
      </div>
      <aside className="writing-aside" aria-label={letter.preview}>
        <TemplateLook
          id={draft.id}
          saves={saves}
          variables={variables}
          onProblems={setProblems}
          places={places}
        />
        <Variables value={variables} onChange={setVariables} />
      </aside>
    </div>
  );
}

function Head({ draft, set, isReadOnly }: Omit<PanelsProps, "saves">) {
  const { campaigns, templates } = useTexts();
  return (
    <>
      <TextInput
        label={campaigns.name}
        maxLength={200}
        readOnly={isReadOnly}
        error={draft.name.trim() === "" && templates.nameMissing}
        value={draft.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <TextInput
        label={templates.subject}
        maxLength={998}
        readOnly={isReadOnly}
        error={draft.subject.trim() === "" && templates.subjectMissing}
        value={draft.subject}
        onChange={({ currentTarget }) => set({ subject: currentTarget.value })}
      />
    </>
  );
}

function Variables({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { templates } = useTexts();
  return (
    <section className="panel">
      <JsonInput
        className="mono"
        label={templates.variables}
        description={templates.variablesSays}
        autosize
        minRows={3}
        formatOnBlur
        validationError={templates.notJson}
        value={value}
        onChange={onChange}
      />
    </section>
  );
}

function Actions({ template }: { readonly template: TemplateWithBody }) {
  const { templates } = useTexts();
  const { id, name } = template;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setDeleting(true)}>
        {templates.remove}
      </Button>
      <Button component={Link} href={`/campaigns/new?template=${encodeURIComponent(id)}`}>
        {templates.use}
      </Button>
      <DeleteDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        name={name}
        title={templates.removeTitle}
        says={templates.removeSays(name)}
        action={templates.remove}
        remove={() => ok(api.DELETE("/api/v1/templates/{id}", { params: { path: { id } } }))}
        list="templates"
      />
    </>
  );
}
