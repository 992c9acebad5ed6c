import { LineChart } from "@mantine/charts";
import { useElementSize } from "@mantine/hooks";
import { useMemo } from "react";
import type { CampaignStep } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { axisTick } from "../../parts/charts/axis-tick.tsx";
import { FiguresTable } from "../../parts/charts/figures-table.tsx";
import { dayTicks, hourTicks } from "../../parts/charts/time-ticks.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = {
  readonly steps: readonly CampaignStep[];
  readonly step: "hour" | "day";
  /** The workspace's: steps are hours and days of its clock. */
  readonly zone: string;
};

/** The room beside the plot, and the room that a mark of the axis needs. */
const BESIDE_PX = 60;
const TICK_PX = 76;

/** Two lines: opens in a strong colour, clicks in a quiet one. */
export default function TimeChart({ steps, step, zone }: Props) {
  const { report } = useTexts();
  const format = useFormat(zone);
  const { ref, width } = useElementSize();
  const axis = useAxis({ steps, step, zone }, format, Math.floor((width - BESIDE_PX) / TICK_PX));
  const { opened, clicked } = report.figures;
  const nameOf = step === "hour" ? format.dateTime : format.date;
  return (
    <>
      <div ref={ref} aria-hidden>
        <LineChart
          h={260}
          data={steps.map((one) => ({ at: one.at, [opened]: one.opened, [clicked]: one.clicked }))}
          dataKey="at"
          withLegend
          withDots={steps.length < 3}
          gridAxis="y"
          xAxisProps={axis}
          // Also asked while nobody points at anything.
          tooltipProps={{ labelFormatter: (at) => (typeof at === "string" ? nameOf(at) : "") }}
          curveType="linear"
          series={[
            { name: opened, color: "teal.6" },
            { name: clicked, color: "gray.6", strokeDasharray: "5 4" },
          ]}
          lineChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <FiguresTable
        caption={report.overTime}
        names={[report.stepNames[step], opened, clicked]}
        rows={steps
          .filter((one) => one.opened + one.clicked > 0)
          .map((one) => ({
            at: one.at,
            name: nameOf(one.at),
            figures: [format.number(one.opened), format.number(one.clicked)],
          }))}
      />
    </>
  );
}

/** @param room for so many marks there is room; at least one is shown */
function useAxis({ steps, step, zone }: Props, format: ReturnType<typeof useFormat>, room: number) {
  return useMemo(() => {
    const begins = steps.map(({ at }) => at);
    const most = Math.max(1, room);
    const ticks = step === "day" ? dayTicks(begins, format, most) : hourTicks(begins, zone, format, most);
    return { ticks: ticks.map(({ at }) => at), interval: 0 as const, height: 48, tick: axisTick(ticks) };
  }, [steps, step, zone, format, room]);
}
