import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { useSettings } from "../../../api/settings.ts";
import type { Data } from "../../../flow/flow.ts";
import { ContactPicker, type Person } from "../../../letter-editor/preview/contact-picker.tsx";
import { LetterPreview } from "../../../letter-editor/preview/letter-preview.tsx";
import type { LetterLook } from "../../../letter-editor/preview/looks.ts";
import { ProblemList } from "../../../letter-editor/preview/problem-list.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import type { ProblemPlaces } from "../../../letter-editor/use-problem-places.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { useEditor } from "../editor.tsx";

type Props = {
  /** The step as it is being edited, saved or not. */
  readonly data: Data;
  readonly places: ProblemPlaces;
};

/** Typing changes the mail with every key. It is rendered after a pause. */
const PAUSE_MS = 400;

/** The mail of a step as a person would get it, rendered by the server. */
export function MailPreview({ data, places }: Props) {
  const { letter } = useTexts();
  const settings = useSettings().data;
  const [look, setLook] = useState<LetterLook>("phone");
  const [person, setPerson] = useState<Person | null>(null);
  const made = usePreview(data, person?.id ?? null);
  return (
    <section className="panel" aria-label={letter.preview}>
      <ContactPicker label={letter.previewAs} person={person} onChange={setPerson} />
      {made.error && <LoadError error={made.error} retry={() => void made.refetch()} />}
      {made.data === undefined && !made.error && <Loading />}
      {made.data && (
        <>
          <ProblemList problems={made.data.problems} places={places} />
          <LetterPreview
            letter={{ ...made.data, preheader: "" }}
            from={settings?.fromName ?? settings?.fromEmail ?? ""}
            look={look}
            onLook={setLook}
          />
        </>
      )}
    </section>
  );
}

function usePreview(data: Data, contactId: string | null) {
  const { automationId, chosen } = useEditor();
  const [written] = useDebouncedValue(data, PAUSE_MS);
  return useQuery({
    queryKey: ["automations", automationId, "preview", chosen, written, contactId],
    queryFn: ({ signal }) =>
      ok(
        api.POST("/api/v1/automations/{id}/preview", {
          params: { path: { id: automationId } },
          body: { nodeId: chosen, data: { ...written }, ...(contactId === null ? {} : { contactId }) },
          signal,
        }),
      ).then((answer) => answer.data),
    placeholderData: (before) => before,
  });
}
