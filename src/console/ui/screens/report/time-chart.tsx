import { LineChart } from "@mantine/charts";
import type { CampaignStep } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly steps: readonly CampaignStep[]; readonly step: "hour" | "day" };

/** Two lines: opens in a strong colour, clicks in a quiet one. */
export default function TimeChart({ steps, step }: Props) {
  const { report } = useTexts();
  const { date, dateTime, day, time } = useFormat();
  const isOneDay = new Set(steps.map(({ at }) => day(at))).size === 1;
  const { opened, clicked } = report.figures;
  const data = steps.map((one) => ({
    at: step === "hour" ? dateTime(one.at) : date(one.at),
    [opened]: one.opened,
    [clicked]: one.clicked,
  }));
  // The axis has little room; the whole moment stands where one points.
  const shortAt = (index: number): string => {
    const at = steps[index]?.at;
    if (at === undefined) return "";
    return step === "day" ? day(at) : isOneDay ? time(at) : `${day(at)}, ${time(at)}`;
  };
  return (
    <LineChart
      h={240}
      data={data}
      dataKey="at"
      withLegend
      withDots={steps.length < 3}
      gridAxis="y"
      xAxisProps={{
        interval: "equidistantPreserveStart",
        minTickGap: 24,
        tickFormatter: (_, index) => shortAt(index),
      }}
      curveType="linear"
      series={[
        { name: opened, color: "teal.6" },
        { name: clicked, color: "gray.6", strokeDasharray: "5 4" },
      ]}
      lineChartProps={{ accessibilityLayer: false }}
    />
  );
}
