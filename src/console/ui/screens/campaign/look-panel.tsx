import { useState } from "react";
import type { LetterProblem } from "../../api/api.gen.ts";
import { useSettings } from "../../api/settings.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useFormat } from "../../frame/format.ts";
import { useIsPhone } from "../../frame/use-is-phone.ts";
import { ContactPicker, type Person } from "../../letter-editor/preview/contact-picker.tsx";
import { LetterPreview } from "../../letter-editor/preview/letter-preview.tsx";
import type { LetterLook } from "../../letter-editor/preview/looks.ts";
import { ProblemList } from "../../letter-editor/preview/problem-list.tsx";
import { firstWordsIn } from "../../letter/first-letter.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import type { ProblemPlaces } from "../../letter-editor/use-problem-places.ts";
import { useTexts } from "../../texts/texts.tsx";
import type { Draft } from "./draft/draft-fields.ts";
import { type usePreview } from "./queries.ts";

type Preview = ReturnType<typeof usePreview>;

type CheckProps = {
  readonly preview: Preview;
  readonly body: string;
  readonly places: ProblemPlaces;
};

/** What is wrong with the letter. That it cannot be told is said where the letter would be shown. */
export function CheckPanel({ preview, body, places }: CheckProps) {
  const { letter } = useTexts();
  const { number } = useFormat();
  if (preview.data === undefined) return null;
  const { problems, sizeBytes } = preview.data;
  const unwritten = firstWordsIn(body);
  const found: readonly LetterProblem[] = [
    ...(unwritten === null
      ? []
      : [{ severity: "warning" as const, message: letter.unwritten, ...unwritten }]),
    ...problems,
  ];
  return (
    <section className="panel" aria-labelledby="panel-problems">
      <h2 id="panel-problems">
        {letter.problems}
        {sizeBytes > 0 && <small>{letter.sizeKb(number(Math.ceil(sizeBytes / 1024)))}</small>}
      </h2>
      <ProblemList problems={found} places={places} />
    </section>
  );
}

type LookProps = {
  readonly draft: Draft;
  readonly preview: Preview;
  readonly person: Person | null;
  readonly onPerson: (person: Person | null) => void;
};

/** How the letter will look. */
export function LookPanel({ draft, preview, person, onPerson }: LookProps) {
  const { letter } = useTexts();
  const settings = useSettings().data;
  const [look, setLook] = useState<LetterLook>("phone");
  const isPhone = useIsPhone();
  const error = loadErrorOf(preview);
  if (error) return <LoadError error={error} retry={() => void preview.refetch()} />;
  return (
    <section className="panel panel-look" aria-labelledby="panel-preview">
      <h2 id="panel-preview">{letter.preview}</h2>
      {preview.data === undefined ? (
        <Loading />
      ) : (
        <>
          <ContactPicker label={letter.previewAs} person={person} onChange={onPerson} />
          <LetterPreview
            letter={preview.data}
            from={draft.fromName ?? settings?.fromName ?? draft.fromEmail ?? settings?.fromEmail ?? ""}
            look={look}
            onLook={setLook}
            hasInboxLine={isPhone}
          />
        </>
      )}
    </section>
  );
}
