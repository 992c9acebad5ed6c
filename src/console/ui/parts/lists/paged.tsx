import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { usePages } from "../../api/pages.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useTexts } from "../../texts/texts.tsx";
import { LoadError } from "../states/load-error.tsx";
import { Loading } from "../states/loading.tsx";

type Props<Item> = {
  readonly pages: ReturnType<typeof usePages<Item>>;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
};

/** A list that is loaded page by page, with a button for the next. */
export function Paged<Item>({ pages, empty, children }: Props<Item>) {
  const { frame } = useTexts();
  const error = loadErrorOf(pages);
  if (error) return <LoadError error={error} retry={() => void pages.refetch()} />;
  if (pages.items === undefined) return <Loading />;
  if (pages.items.length === 0) return empty;
  return (
    <>
      {children(pages.items)}
      {pages.error && pages.isFetchNextPageError && <LoadError error={pages.error} />}
      {pages.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {frame.more}
        </Button>
      )}
    </>
  );
}
