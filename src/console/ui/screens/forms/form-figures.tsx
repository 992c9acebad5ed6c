import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Bar } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** What happened to a form's submissions, as bars on one scale. */
export function FormFigures({ id }: { readonly id: string }) {
  const { forms } = useTexts();
  const { number } = useFormat();
  const { data, error, refetch } = useQuery({
    queryKey: ["forms", "stats", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/forms/{id}/stats", { params: { path: { id } }, signal })).then(
        (answer) => answer.data,
      ),
  });
  if (error && data === undefined) return <LoadError error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  const most = Math.max(data.asked, data.joined);
  return (
    <section aria-labelledby="figures">
      <Title order={2} id="figures" mb="xs">
        {forms.figures}
      </Title>
      {most === 0 ? (
        <p className="forms-note">{forms.noSubmissions}</p>
      ) : (
        <dl className="forms-figures">
          {(["asked", "confirmed", "joined", "left"] as const).map((figure) => (
            <div key={figure}>
              <dt>{forms[figure]}</dt>
              <dd className="count">{number(data[figure])}</dd>
              <dd>
                <Bar part={data[figure]} whole={most} label={forms[figure]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
