import { Button } from "@mantine/core";
import { EmptyState } from "./empty-state.tsx";

type Props = {
  readonly texts: { readonly notFound: string; readonly notFoundSays: string; readonly showAll: string };
  readonly onShowAll: () => void;
};

/** Shown where there is something, but nothing that is looked for. */
export function NothingFits({ texts, onShowAll }: Props) {
  return (
    <EmptyState
      title={texts.notFound}
      says={texts.notFoundSays}
      action={
        <Button variant="default" onClick={onShowAll}>
          {texts.showAll}
        </Button>
      }
    />
  );
}
