import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Figures, FiguresStep } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useSettings } from "../../api/settings.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Count, None, Share } from "../../parts/numbers.tsx";
import { useSubscribed } from "../../api/subscribed.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useFormat } from "../../frame/format.ts";
import { useTexts } from "../../texts/texts.tsx";

const Charts = lazy(() => import("./month-charts.tsx"));
const Trend = lazy(() => import("./trend.tsx"));

const DAYS = 30;
const DAY_MS = 86_400_000;

const delivered = (figures: Figures | FiguresStep): number => figures.delivered ?? 0;
const left = ({ unsubscribed, complained }: Figures | FiguresStep): number => unsubscribed + complained;

/** Four figures of the last 30 days, and two plots. */
export function MonthFigures() {
  const { overview } = useTexts();
  const [from] = useState(() => new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString());
  const stats = useQuery({
    queryKey: ["stats", "month"],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/stats", { params: { query: { step: "day", from, include: "delivered" } }, signal }),
      ).then(({ data }) => data),
  });
  const settings = useSettings();
  const error = loadErrorOf(stats) ?? loadErrorOf(settings);
  const retry = (): void => void Promise.all([stats.refetch(), settings.refetch()]);
  if (error) return <LoadError error={error} retry={retry} />;
  if (stats.data === undefined || settings.data === undefined) return <FiguresPlace />;
  const { totals, series } = stats.data;
  return (
    <section aria-labelledby="month">
      <Title order={2} id="month" mb="sm">
        {overview.lastDays}
      </Title>
      <dl className="overview-figures">
        <Figure label={overview.subscribers} trend={series.map(({ newContacts }) => newContacts)}>
          <Subscribers joined={totals.newContacts} />
        </Figure>
        <Figure label={overview.delivered} trend={series.map(delivered)}>
          <Count value={delivered(totals)} />
        </Figure>
        <Figure label={overview.opened} trend={series.map(({ opened }) => opened)}>
          <Share part={totals.opened} whole={delivered(totals)} />
        </Figure>
        <Figure label={overview.left} trend={series.map(left)}>
          <Count value={left(totals)} />
        </Figure>
      </dl>
      <Suspense fallback={<ChartsPlace />}>
        <Charts
          zone={settings.data.timezone}
          days={series.map((step) => ({
            at: step.at,
            delivered: delivered(step),
            joined: step.newContacts,
            left: left(step),
          }))}
        />
      </Suspense>
    </section>
  );
}

/** A placeholder of the same size, so that nothing below moves when the figures arrive. */
function FiguresPlace() {
  const { overview, frame } = useTexts();
  return (
    <section role="status" aria-label={frame.loading}>
      <Title order={2} mb="sm">
        {overview.lastDays}
      </Title>
      <div className="overview-figures">
        {Array.from({ length: 4 }, (_, at) => (
          <div key={at} />
        ))}
      </div>
      <ChartsPlace />
    </section>
  );
}

const ChartsPlace = () => (
  <div className="overview-charts">
    <div className="overview-plot" />
    <div className="overview-plot" />
  </div>
);

/** How many may get mail now, and how many came lately. */
function Subscribers({ joined }: { readonly joined: number }) {
  const { overview } = useTexts();
  const { quantity } = useFormat();
  const now = useSubscribed();
  return (
    <>
      {now.data === undefined ? <None /> : <Count value={now.data} />}{" "}
      <small className="overview-growth">{overview.cameNew(quantity(joined))}</small>
    </>
  );
}

type FigureProps = {
  readonly label: string;
  readonly trend: readonly number[];
  readonly children: React.ReactNode;
};

function Figure({ label, trend, children }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
      <dd className="overview-trend" aria-hidden inert>
        <Suspense>{trend.some((value) => value > 0) && <Trend values={trend} />}</Suspense>
      </dd>
    </div>
  );
}
