import { Sparkline } from "@mantine/charts";

/** The course of a figure, beside the figure: no axes. */
export default function Trend({ values }: { readonly values: readonly number[] }) {
  return (
    <Sparkline
      h={32}
      data={[...values]}
      color="teal.6"
      fillOpacity={0}
      strokeWidth={1.5}
      curveType="monotone"
    />
  );
}
