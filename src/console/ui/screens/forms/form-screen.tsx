import { Alert, Button, SegmentedControl, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import type { Form, FormPreview } from "../../api/api.gen.ts";
import { ApiError, api, ok } from "../../api/client.ts";
import { useKeptDraft } from "../../autosave/use-kept-draft.ts";
import { useSession } from "../../frame/session/session.tsx";
import { LetterFrame } from "../../parts/letter-frame.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { Unsaved } from "../../parts/saving/unsaved.tsx";
import { Overtaken } from "../../parts/saving/overtaken.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { DeleteForm } from "./delete-form.tsx";
import { FormFigures } from "./form-figures.tsx";
import { bodyOf, draftOf, isSame, type FormDraft } from "./form-draft.ts";
import { FormSettings } from "./form-settings.tsx";
import { Snippets } from "./snippets.tsx";

/** A form as visitors see it, and beside it everything that can be changed about it. */
export default function FormScreen() {
  const { id = "" } = useParams();
  const { forms } = useTexts();
  const query = useQuery({
    queryKey: ["forms", "one", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/forms/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
  });
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  if (query.error) return <LoadError error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <Page title={forms.title}>
        <Loading />
      </Page>
    );
  return <OneForm key={id} form={query.data} />;
}

function useSaving(id: string, onSaved: () => void) {
  const queries = useQueryClient();
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const saving = useMutation({
    mutationFn: (draft: FormDraft) =>
      ok(api.PATCH("/api/v1/forms/{id}", { params: { path: { id } }, body: bodyOf(draft) })),
    onSuccess: async ({ data }) => {
      onSaved();
      setSavedAt(new Date());
      queries.setQueryData(["forms", "one", id], data);
      await queries.invalidateQueries({ queryKey: ["forms", "pages"] });
    },
  });
  return { saving, savedAt };
}

function OneForm({ form }: { readonly form: Form }) {
  const { forms } = useTexts();
  const { may } = useSession();
  const mayEdit = may("editor");
  const kept = useKeptDraft(mayEdit ? `form.${form.id}` : null, draftOf(form), isSame);
  const { draft, isChanged } = kept;
  const { saving, savedAt } = useSaving(form.id, kept.forget);
  return (
    <Page
      title={form.name}
      back={{ href: "/forms", label: forms.title }}
      wide
      actions={
        mayEdit && (
          <>
            <SaveState isSaving={saving.isPending} error={null} savedAt={isChanged ? null : savedAt} />
            <Unsaved kept={kept} says={forms.unsaved} />
            <Button disabled={!isChanged} loading={saving.isPending} onClick={() => saving.mutate(draft)}>
              {forms.save}
            </Button>
          </>
        )
      }
    >
      <Overtaken kept={kept} />
      {saving.error && (
        <Alert color="red" role="alert" mb="md">
          {saving.error.message}
        </Alert>
      )}
      <div className="forms-columns">
        <div className="forms-site">
          <Shown id={form.id} draft={draft} />
          <Snippets form={form} />
          <FormFigures id={form.id} />
        </div>
        <Stack gap="lg">
          <FormSettings draft={draft} onChange={mayEdit ? kept.change : null} />
          {mayEdit && <DeleteForm form={form} />}
        </Stack>
      </div>
    </Page>
  );
}

const PHONE = 390;
const LOOKS = ["phone", "desktop", "dark"] as const;
type FormLook = (typeof LOOKS)[number];
const PAUSE_MS = 300;

/** The form's own page with the unsaved changes, in a frame with an origin of its own. */
function Shown({ id, draft }: { readonly id: string; readonly draft: FormDraft }) {
  const { forms } = useTexts();
  const [look, setLook] = useState<FormLook>("desktop");
  const [asked] = useDebouncedValue(draft, PAUSE_MS);
  const { data, error } = useQuery<FormPreview>({
    queryKey: ["forms", "preview", id, asked],
    placeholderData: (before) => before,
    queryFn: ({ signal }) =>
      ok(
        api.POST("/api/v1/forms/{id}/preview", { params: { path: { id } }, body: bodyOf(asked), signal }),
      ).then((answer) => answer.data),
  });
  return (
    <section aria-label={forms.preview} className="forms-shown">
      <SegmentedControl
        aria-label={forms.look}
        value={look}
        onChange={(next) => setLook(LOOKS.find((each) => each === next) ?? "desktop")}
        data={LOOKS.map((each) => ({ value: each, label: forms.looks[each] }))}
      />
      {error && <LoadError error={error} />}
      {data && (
        <LetterFrame
          html={data.html}
          title={forms.preview}
          isDark={look === "dark"}
          {...(look === "phone" ? { width: PHONE } : {})}
        />
      )}
    </section>
  );
}
