import { Button } from "@mantine/core";
import { Link } from "wouter";
import { useTexts } from "../../texts/texts.tsx";
import { EmptyState } from "./empty-state.tsx";

/** For an address that leads nowhere, and for something that was deleted. */
export function NotFound() {
  const { frame } = useTexts();
  return (
    <EmptyState
      isPage
      title={frame.notFound}
      says={frame.notFoundSays}
      action={
        <Button component={Link} href="/">
          {frame.toOverview}
        </Button>
      }
    />
  );
}
