import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../../../api/client.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { useFormat } from "../../../frame/format.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";

const KEY = ["sessions"] as const;

/** Where the person is signed in, and signing out elsewhere. */
export function SessionList() {
  const { account } = useTexts();
  const { quantity } = useFormat();
  const end = useEnding();
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => ok(api.GET("/api/v1/sessions", { signal })).then(({ data }) => data),
  });
  const error = loadErrorOf(sessions);
  if (error) return <LoadError error={error} retry={() => void sessions.refetch()} />;
  if (sessions.data === undefined) return <Loading />;
  const others = sessions.data.filter(({ current }) => !current).map(({ id }) => id);
  return (
    <>
      <DataTable
        phone="rows"
        items={sessions.data}
        keyOf={({ id }) => id}
        columns={[
          { label: account.signedIn, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { label: account.lastSeen, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
          {
            label: account.actions,
            kind: "actions",
            cell: ({ id, current }) =>
              current ? (
                account.thisOne
              ) : (
                <Button size="compact-sm" variant="subtle" onClick={() => end.mutate([id])}>
                  {account.end}
                </Button>
              ),
          },
        ]}
      />
      {others.length > 0 && (
        <Button mt="md" variant="default" loading={end.isPending} onClick={() => end.mutate(others)}>
          {account.endOthers(quantity(others.length))}
        </Button>
      )}
    </>
  );
}

function useEnding() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      Promise.all(ids.map((id) => ok(api.DELETE("/api/v1/sessions/{id}", { params: { path: { id } } })))),
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
