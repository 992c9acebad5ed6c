import { Stack, Title } from "@mantine/core";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FirstSteps } from "../first-steps/first-steps.tsx";
import { useSteps } from "../first-steps/use-steps.ts";
import { LatestCampaigns } from "./latest-campaigns.tsx";
import { MonthFigures } from "./month-figures.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { UnderWay } from "./under-way.tsx";

/** What needs somebody, what is under way, and how it went lately. A new workspace sees its first steps. */
export default function OverviewScreen() {
  const { overview, firstSteps } = useTexts();
  const { progress } = useSteps();
  const isNew = progress?.campaign === false;
  return (
    <Page title={overview.title}>
      <Stack gap={36}>
        {!isNew && <NeedsYou />}
        <UnderWay />
        {isNew && (
          <section aria-labelledby="first-steps">
            <Title order={2} id="first-steps" mb="sm">
              {firstSteps.title}
            </Title>
            <FirstSteps progress={progress} />
          </section>
        )}
        {!isNew && <MonthFigures />}
        {!isNew && <LatestCampaigns />}
      </Stack>
    </Page>
  );
}
