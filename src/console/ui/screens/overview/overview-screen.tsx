import { Stack, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useDeliverability } from "../../api/settings.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FirstSteps } from "../first-steps/first-steps.tsx";
import { useHasSent, useSteps } from "../first-steps/use-steps.ts";
import { LatestCampaigns } from "./latest-campaigns.tsx";
import { MonthFigures } from "./month-figures.tsx";
import { useRememberedHeight } from "./needs-place.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { UnderWay, useUnderWay } from "./under-way.tsx";

/** Open tasks, running sends, and recent results. A new workspace sees its first steps. */
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
  const { progress, failed } = useSteps();
  return (
    <Stack gap={36}>
      <UnderWay />
      <section aria-labelledby="first-steps">
        <Title order={2} id="first-steps">
          {firstSteps.title}
        </Title>
        <p className="first-steps-head-says">{firstSteps.says}</p>
        {failed && <LoadError error={failed.error} retry={failed.again} />}
        {progress === undefined ? (
          failed === null && <Loading lines={6} />
        ) : (
          <FirstSteps progress={progress} />
        )}
      </section>
    </Stack>
  );
}

/**
 * The page waits this long for its top part: whatever is drawn then keeps its place. On a device that has not shown
 * it before, its height is not known.
 */
const PATIENCE_MS = 600;
const FIRST_PATIENCE_MS = 3_000;

function Month({ isKnown }: { readonly isKnown: boolean }) {
  const isTopThere = useIsTopThere();
  const isShown = isKnown && isTopThere;
  return (
    <>
      {!isShown && <Loading />}
      {/* Invisible and not gone: plots can be drawn only where they have a width. */}
      <Stack gap={36} style={isShown ? {} : { visibility: "hidden" }}>
        <NeedsYou />
        <UnderWay />
        <MonthFigures />
        <LatestCampaigns />
      </Stack>
    </>
  );
}

/** Whether the open tasks and running sends are loaded, or took too long. */
function useIsTopThere(): boolean {
  const checks = useDeliverability();
  const sends = useUnderWay();
  const [isLate, setLate] = useState(false);
  const [height] = useRememberedHeight();
  const patienceMs = height === null ? FIRST_PATIENCE_MS : PATIENCE_MS;
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, [patienceMs]);
  return isLate || !(checks.isPending || sends.isPending);
}
