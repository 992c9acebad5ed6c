import { LineChart } from "@mantine/charts";
import type { CampaignStep } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly steps: readonly CampaignStep[]; readonly step: "hour" | "day" };

/** Two lines: opens in a strong colour, clicks in a quiet one. */
export default function TimeChart({ steps, step }: Props) {
  const { report } = useTexts();
  const { date, dateTime } = useFormat();
  const { opened, clicked } = report.figures;
  const data = steps.map((one) => ({
    at: step === "hour" ? dateTime(one.at) : date(one.at),
    [opened]: one.opened,
    [clicked]: one.clicked,
  }));
  return (
    <LineChart
      h={240}
      data={data}
      dataKey="at"
      withLegend
      withDots={steps.length < 3}
      gridAxis="y"
      curveType="linear"
      series={[
        { name: opened, color: "teal.6" },
        { name: clicked, color: "gray.6", strokeDasharray: "5 4" },
      ]}
      lineChartProps={{ accessibilityLayer: false }}
    />
  );
}
