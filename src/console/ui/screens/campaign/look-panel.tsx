import { useState } from "react";
import type { LetterProblem } from "../../api/api.gen.ts";
import { useSettings } from "../../api/settings.ts";
import { useFormat } from "../../frame/format.ts";
import { ContactPicker, type Person } from "../../letter-editor/preview/contact-picker.tsx";
import { LetterPreview } from "../../letter-editor/preview/letter-preview.tsx";
import type { LetterLook } from "../../letter-editor/preview/looks.ts";
import { ProblemList } from "../../letter-editor/preview/problem-list.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { useTexts } from "../../texts/texts.tsx";
import type { Draft } from "./draft/draft-fields.ts";
import { type usePreview } from "./queries.ts";

type Props = {
  readonly draft: Draft;
  readonly preview: ReturnType<typeof usePreview>;
  readonly person: Person | null;
  readonly onPerson: (person: Person | null) => void;
  readonly onGo: (problem: LetterProblem) => void;
};

/** What is wrong with the letter, and how it will look. */
export function LookPanel({ draft, preview, person, onPerson, onGo }: Props) {
  const { letter } = useTexts();
  const settings = useSettings().data;
  const [look, setLook] = useState<LetterLook>("phone");
  const { number } = useFormat();
  if (preview.error) return <LoadError error={preview.error} retry={() => void preview.refetch()} />;
  if (preview.data === undefined) return <Loading />;
  const { problems, sizeBytes } = preview.data;
  return (
    <>
      <section className="panel" aria-labelledby="panel-problems">
        <h2 id="panel-problems">
          {letter.problems}
          {sizeBytes > 0 && <small>{letter.size2(number(Math.ceil(sizeBytes / 1024)))}</small>}
        </h2>
        <ProblemList problems={problems} onGo={onGo} />
      </section>
      <section className="panel" aria-labelledby="panel-preview">
        <h2 id="panel-preview">{letter.preview}</h2>
        <ContactPicker label={letter.previewAs} person={person} onChange={onPerson} />
        <LetterPreview
          letter={preview.data}
          from={draft.fromName ?? settings?.fromName ?? draft.fromEmail ?? settings?.fromEmail ?? ""}
          look={look}
          onLook={setLook}
        />
      </section>
    </>
  );
}
