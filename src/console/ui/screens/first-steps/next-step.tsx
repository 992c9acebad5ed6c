import { Button } from "@mantine/core";
import { useTexts } from "../../texts/texts.tsx";

/** What comes after a step. */
export type GoOn = { readonly to: string; go(): void };

/** The button to the next step, for a step that is done on this screen. */
export function NextStep({ goOn }: { readonly goOn: GoOn | null }) {
  const { firstSteps } = useTexts();
  return (
    goOn !== null && (
      <Button className="first-steps-next" onClick={goOn.go}>
        {firstSteps.next(goOn.to)}
      </Button>
    )
  );
}
