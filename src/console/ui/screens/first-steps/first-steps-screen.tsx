import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { useSteps } from "./use-steps.ts";

/** The first steps as a screen of their own: the one-time link opens it. */
export default function FirstStepsScreen() {
  const { firstSteps } = useTexts();
  const { progress, error } = useSteps();
  return (
    <Page title={firstSteps.title} says={firstSteps.says}>
      {error !== null && <LoadError error={error} />}
      {progress === undefined ? error === null && <Loading /> : <FirstSteps progress={progress} />}
    </Page>
  );
}
