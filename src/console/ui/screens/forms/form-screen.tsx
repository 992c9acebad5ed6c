import { Button, SegmentedControl, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import type { Form, FormPreview } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSharedDraft } from "../../autosave/use-shared-draft.ts";
import { useSession } from "../../frame/session/session.tsx";
import { LetterFrame } from "../../parts/letter-frame.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { NotYet } from "../../parts/states/not-yet.tsx";
import { Page } from "../../parts/page.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { Unsaved } from "../../parts/saving/unsaved.tsx";
import { Elsewhere } from "../../parts/saving/elsewhere.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { DeleteForm } from "./delete-form.tsx";
import { FormFigures } from "./form-figures.tsx";
import { bodyOf, draftOf, type FormDraft } from "./form-draft.ts";
import { FormSettings } from "./form-settings.tsx";
import { Snippets } from "./snippets.tsx";

/** A form as visitors see it, and beside it everything that can be changed about it. */
export default function FormScreen() {
  const { id = "" } = useParams();
  return <OneForm key={id} id={id} />;
}

/** Visitors see a form at once: it is saved by its button. */
function useForm(id: string, mayEdit: boolean) {
  const path = { params: { path: { id } } };
  return useSharedDraft<Form>({
    name: `form.${id}`,
    key: ["forms", "one", id],
    shownIn: "forms",
    mayEdit,
    waits: () => true,
    load: async (signal) => (await ok(api.GET("/api/v1/forms/{id}", { ...path, signal }))).data,
    save: async (body) => (await ok(api.PATCH("/api/v1/forms/{id}", { ...path, body }))).data,
  });
}

function OneForm({ id }: { readonly id: string }) {
  const { forms } = useTexts();
  const mayEdit = useSession().may("editor");
  const shared = useForm(id, mayEdit);
  const { draft: written, saved, set, isChanged, status } = shared;
  if (written === null || saved === undefined) return <NotYet title={forms.title} {...shared} />;
  const draft = draftOf(written);
  return (
    <Page
      title={saved.name}
      back={{ href: "/forms", label: forms.title }}
      wide
      actions={
        mayEdit && (
          <>
            <SaveState {...status} />
            <Unsaved shared={shared} says={forms.unsaved} />
            <Button disabled={!isChanged} loading={status.isSaving} onClick={() => void shared.save()}>
              {forms.save}
            </Button>
          </>
        )
      }
    >
      <ViewOnly />
      <Elsewhere
        shared={shared}
        names={{ ...forms, listId: forms.list, successMessage: forms.message, style: forms.look }}
      />
      <div className="forms-columns">
        <div className="forms-site">
          <Shown id={id} draft={draft} />
          <Snippets form={saved} />
          <FormFigures id={id} />
        </div>
        <Stack gap="lg">
          <FormSettings draft={draft} onChange={mayEdit ? (next) => set(bodyOf(next)) : null} />
          {mayEdit && <DeleteForm form={saved} />}
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
