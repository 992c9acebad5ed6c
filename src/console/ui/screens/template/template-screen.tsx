import { Alert, Button, JsonInput, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { LetterProblem, TemplateWithBody } from "../../api/api.gen.ts";
import { api, ApiError, ok } from "../../api/client.ts";
import { useAutosave } from "../../autosave/use-autosave.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { LetterEditor } from "../../letter-editor/letter-editor.tsx";
import { useProblemPlaces } from "../../letter-editor/use-problem-places.ts";
import type { Way } from "../../letter-editor/ways.ts";
import { ConfirmByNumber } from "../../parts/confirm-by-number.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { TemplateLook } from "./template-look.tsx";

type Draft = Pick<TemplateWithBody, "name" | "subject" | "format" | "body">;

/** A template that is being written. It is saved automatically. */
export default function TemplateScreen() {
  const { id } = useParams<{ id: string }>();
  const template = useQuery({
    queryKey: ["template", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/templates/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (template.error instanceof ApiError && template.error.status === 404) return <NotFound />;
  if (template.error) return <LoadError error={template.error} retry={() => void template.refetch()} />;
  if (template.data === undefined) return <Loading />;
  return <Writing key={id} template={template.data} />;
}

function useTemplateDraft(template: TemplateWithBody, isReadOnly: boolean) {
  const { id } = template;
  const queries = useQueryClient();
  const save = useCallback(
    async (changes: Partial<Draft>) => {
      const filled = Object.entries(changes).filter(([, value]) => value.trim() !== "");
      if (filled.length === 0) return;
      await ok(
        api.PATCH("/api/v1/templates/{id}", { params: { path: { id } }, body: Object.fromEntries(filled) }),
      );
      void queries.invalidateQueries({ queryKey: ["templates"] });
    },
    [id, queries],
  );
  const { saver, status } = useAutosave<Draft>(`template.${id}`, save);
  const [changes, setChanges] = useState<Partial<Draft>>(() => (isReadOnly ? {} : saver.unsaved()));
  const set = useCallback(
    (change: Partial<Draft>) => {
      setChanges((before) => ({ ...before, ...change }));
      saver.change(change);
    },
    [saver],
  );
  return { draft: { ...template, ...changes }, set, status };
}

function Writing({ template }: { readonly template: TemplateWithBody }) {
  const { templates } = useTexts();
  const isReadOnly = !useSession().may("editor");
  const { draft, set, status } = useTemplateDraft(template, isReadOnly);
  return (
    <Page
      wide
      title={draft.name || template.name}
      back={{ href: "/templates", label: templates.title }}
      beside={<SaveState isSaving={status.isSaving} error={status.error} savedAt={status.savedAt} />}
      actions={!isReadOnly && <Actions template={template} />}
    >
      {isReadOnly && (
        <Alert color="gray" mb="md">
          {templates.viewer}
        </Alert>
      )}
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
  const byDefault: Way = draft.format === "mjml" ? "blocks" : "source";
  const way: Way = chosen === "blocks" || chosen === "source" ? chosen : byDefault;
  const show = useCallback((next: Way) => setAddress({ way: next }), [setAddress]);
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
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/templates/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["templates"] });
      navigate("/templates");
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setDeleting(true)}>
        {templates.remove}
      </Button>
      <Button component={Link} href={`/campaigns/new?template=${encodeURIComponent(id)}`}>
        {templates.use}
      </Button>
      <ConfirmByNumber
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={templates.removeTitle}
        answer={name}
        action={templates.remove}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <Text>{templates.removeSays(name)}</Text>
        {remove.error && <LoadError error={remove.error} />}
      </ConfirmByNumber>
    </>
  );
}
