import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { useSteps } from "./use-steps.ts";

/** The first steps as a screen of their own: the one-time link opens it. */
export default function FirstStepsScreen() {
  const { firstSteps } = useTexts();
  const { progress, failed } = useSteps();
  return (
    <Page title={firstSteps.title} says={firstSteps.says}>
      {failed && <LoadError error={failed.error} retry={failed.again} />}
      {progress === undefined ? failed === null && <Loading /> : <FirstSteps progress={progress} />}
    </Page>
  );
}
