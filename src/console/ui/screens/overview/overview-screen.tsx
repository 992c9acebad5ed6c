import { Stack, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useDeliverability } from "../../api/settings.ts";
import { Loading } from "../../parts/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FirstSteps } from "../first-steps/first-steps.tsx";
import { useHasSent, useSteps } from "../first-steps/use-steps.ts";
import { LatestCampaigns } from "./latest-campaigns.tsx";
import { MonthFigures } from "./month-figures.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { UnderWay, useUnderWay } from "./under-way.tsx";

/** What needs somebody, what is under way, and how it went lately. A new workspace sees its first steps. */
export default function OverviewScreen() {
  const { overview } = useTexts();
  const hasSent = useHasSent();
  return (
    <Page title={overview.title}>
      {hasSent.data === false ? <Beginning /> : <Month isKnown={!hasSent.isPending} />}
    </Page>
  );
}

function Beginning() {
  const { firstSteps } = useTexts();
  const { progress } = useSteps();
  return (
    <Stack gap={36}>
      <UnderWay />
      <section aria-labelledby="first-steps">
        <Title order={2} id="first-steps" mb="sm">
          {firstSteps.title}
        </Title>
        {progress === undefined ? <Loading lines={6} /> : <FirstSteps progress={progress} />}
      </section>
    </Stack>
  );
}

/** So long the page waits for what stands at its top: what is drawn keeps its place from then on. */
const PATIENCE_MS = 600;

function Month({ isKnown }: { readonly isKnown: boolean }) {
  const isTopThere = useIsTopThere();
  return (
    // Invisible and not gone: plots can be drawn only where they have a width.
    <div style={{ visibility: isKnown && isTopThere ? "visible" : "hidden" }}>
      <Stack gap={36}>
        <NeedsYou />
        <UnderWay />
        <MonthFigures />
        <LatestCampaigns />
      </Stack>
    </div>
  );
}

/** Whether it is known what needs somebody and what is under way, or took too long. */
function useIsTopThere(): boolean {
  const checks = useDeliverability();
  const sends = useUnderWay();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate || !(checks.isPending || sends.isPending);
}
