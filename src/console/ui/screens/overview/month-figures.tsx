import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Count } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";

const FIGURES = [
  ["newContacts", "newContacts"],
  ["sent", "sent"],
  ["opened", "opened"],
  ["clicked", "clicked"],
  ["unsubscribed", "left"],
  ["bounced", "bounced"],
] as const;

/** The totals of the last 30 days. */
export function MonthFigures() {
  const { overview } = useTexts();
  const stats = useQuery({
    queryKey: ["stats", "month"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/stats", { params: { query: { step: "day" } }, signal })).then(({ data }) => data),
  });
  if (stats.error) return <LoadError error={stats.error} retry={() => void stats.refetch()} />;
  if (stats.data === undefined) return <Loading />;
  const { totals } = stats.data;
  return (
    <section aria-labelledby="month">
      <Title order={2} id="month" mb="xs">
        {overview.lastDays}
      </Title>
      <dl className="overview-figures">
        {FIGURES.map(([figure, label]) => (
          <div key={figure}>
            <dt>{overview[label]}</dt>
            <dd>
              <Count value={totals[figure]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
