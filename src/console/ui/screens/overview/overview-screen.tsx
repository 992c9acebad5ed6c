import { Stack } from "@mantine/core";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { LatestCampaigns } from "./latest-campaigns.tsx";
import { MonthFigures } from "./month-figures.tsx";

/** What went out lately, and what became of it. */
export default function OverviewScreen() {
  const { overview } = useTexts();
  return (
    <Page title={overview.title}>
      <Stack gap={32}>
        <MonthFigures />
        <LatestCampaigns />
      </Stack>
    </Page>
  );
}
