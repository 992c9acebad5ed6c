import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { LetterProblem } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSettings } from "../../api/settings.ts";
import { loadErrorOf } from "../../api/query.ts";
import { LetterPreview } from "../../letter-editor/preview/letter-preview.tsx";
import type { LetterLook } from "../../letter-editor/preview/looks.ts";
import { ProblemList } from "../../letter-editor/preview/problem-list.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import type { ProblemPlaces } from "../../letter-editor/use-problem-places.ts";
import { readObject } from "../../parts/typed/typed-object.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = {
  readonly id: string;
  readonly saves: number;
  /** JSON as somebody typed it. */
  readonly variables: string;
  readonly onProblems: (problems: readonly LetterProblem[]) => void;
  readonly places: ProblemPlaces;
};

/** The template filled in with these values, and what is wrong with it. */
export function TemplateLook({ id, saves, variables, onProblems, places }: Props) {
  const { letter } = useTexts();
  const settings = useSettings().data;
  const [look, setLook] = useState<LetterLook>("phone");
  // What is no object yet fills in nothing.
  const values = useMemo(() => readObject(variables) ?? {}, [variables]);
  const rendered = useQuery({
    queryKey: ["template", id, "rendered", saves, values],
    queryFn: ({ signal }) =>
      ok(
        api.POST("/api/v1/templates/{id}/render", {
          params: { path: { id } },
          body: { variables: values },
          signal,
        }),
      ).then(({ data }) => data),
    placeholderData: (before) => before,
  });
  const problems = rendered.data?.problems;
  useEffect(() => onProblems(problems ?? []), [problems, onProblems]);
  const error = loadErrorOf(rendered);
  if (error) return <LoadError error={error} retry={() => void rendered.refetch()} />;
  if (rendered.data === undefined) return <Loading />;
  return (
    <>
      <section className="panel" aria-labelledby="panel-problems">
        <h2 id="panel-problems">{letter.problems}</h2>
        <ProblemList problems={rendered.data.problems} places={places} />
      </section>
      <section className="panel" aria-labelledby="panel-preview">
        <h2 id="panel-preview">{letter.preview}</h2>
        <LetterPreview
          letter={{ ...rendered.data, preheader: "" }}
          from={settings?.fromName ?? settings?.fromEmail ?? ""}
          look={look}
          onLook={setLook}
        />
      </section>
    </>
  );
}
