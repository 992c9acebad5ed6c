import { BarChart } from "@mantine/charts";
import { Title } from "@mantine/core";
import { useFormat } from "../../frame/format.ts";
import { FiguresTable } from "../../parts/charts/figures-table.tsx";
import { useTexts } from "../../texts/texts.tsx";

type Day = {
  readonly at: string;
  readonly delivered: number;
  readonly joined: number;
  readonly left: number;
};

type Series = { readonly name: keyof Day; readonly label: string; readonly color: string };

/** Mail and audience, day by day. People who left are below the line of zero, so that both can be read. */
export default function MonthCharts({
  days,
  zone,
}: {
  readonly days: readonly Day[];
  readonly zone: string;
}) {
  const { overview } = useTexts();
  return (
    <div className="overview-charts">
      <Plot
        title={overview.mailPlot}
        days={days}
        zone={zone}
        series={[{ name: "delivered", label: overview.delivered, color: "teal.6" }]}
      />
      <Plot
        title={overview.audiencePlot}
        days={days.map((day) => ({ ...day, left: -day.left }))}
        zone={zone}
        series={[
          { name: "joined", label: overview.joined, color: "teal.6" },
          { name: "left", label: overview.left, color: "gray.5" },
        ]}
      />
    </div>
  );
}

type PlotProps = {
  readonly title: string;
  readonly days: readonly Day[];
  /** The workspace's: the days are those of its clock. */
  readonly zone: string;
  readonly series: readonly Series[];
};

function Plot({ title, days, zone, series }: PlotProps) {
  const { overview } = useTexts();
  const { day, date, number } = useFormat(zone);
  const shown = (value: number) => number(Math.abs(value));
  return (
    <figure className="overview-plot">
      <Title order={3} component="figcaption" mb="sm">
        {title}
      </Title>
      {series.length > 1 && (
        <p className="overview-key">
          {series.map(({ name, label, color }) => (
            <span key={name}>
              <span
                className="overview-swatch"
                style={{ backgroundColor: `var(--mantine-color-${color.replace(".", "-")})` }}
              />
              {label}
            </span>
          ))}
        </p>
      )}
      <BarChart
        h={series.length > 1 ? 150 : 180}
        type="stacked"
        data={days.map((one) => ({ ...one, day: day(one.at) }))}
        dataKey="day"
        series={[...series]}
        valueFormatter={shown}
        barChartProps={{ stackOffset: "sign" }}
        gridAxis="x"
        tickLine="none"
        xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 40 }}
        yAxisProps={{ width: 44, allowDecimals: false, interval: 0 }}
        barProps={{ isAnimationActive: false, radius: 2 }}
      />
      <FiguresTable
        caption={title}
        names={[overview.day, ...series.map(({ label }) => label)]}
        rows={days.map((one) => ({
          at: one.at,
          name: date(one.at),
          figures: series.map(({ name }) => shown(Number(one[name]))),
        }))}
      />
    </figure>
  );
}
