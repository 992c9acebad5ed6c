import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BlockedDomain } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { sayRefusal, useUndo } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { AddLine } from "../parts/add-line.tsx";

const KEY = ["blocked-domains"] as const;

export function BlockedDomains() {
  const { suppressions } = useTexts();
  const { may } = useSession();
  const { block, unblock } = useBlocking();
  const pages = usePages<BlockedDomain>(KEY, ({ query, signal }) =>
    ok(api.GET("/api/v1/blocked-domains", { params: { query }, signal })),
  );
  return (
    <>
      {may("editor") && (
        <AddLine
          label={suppressions.domain}
          action={suppressions.block}
          placeholder="example.com"
          add={block}
        />
      )}
      <Paged pages={pages} empty={<p>{suppressions.noDomains}</p>}>
        {(items) => (
          <DataTable
            items={items}
            keyOf={({ domain }) => domain}
            columns={[
              { label: suppressions.domain, kind: "long", cell: ({ domain }) => domain },
              {
                label: suppressions.since,
                kind: "when",
                cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
              },
              may("editor")
                ? {
                    label: suppressions.actions,
                    kind: "actions",
                    cell: ({ domain }) => (
                      <Button size="compact-sm" variant="subtle" onClick={() => unblock(domain)}>
                        {suppressions.unblock}
                      </Button>
                    ),
                  }
                : null,
            ]}
          />
        )}
      </Paged>
    </>
  );
}

function useBlocking() {
  const queries = useQueryClient();
  const { suppressions } = useTexts();
  const undo = useUndo();
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const put = useMutation({
    mutationFn: (domain: string) => ok(api.POST("/api/v1/blocked-domains", { body: { domain } })),
    onSettled,
  });
  const take = useMutation({
    mutationFn: (domain: string) =>
      ok(api.DELETE("/api/v1/blocked-domains/{domain}", { params: { path: { domain } } })),
    onSettled,
    onError: sayRefusal,
    onSuccess: (_, domain) => undo(suppressions.unblocked(domain), () => put.mutate(domain)),
  });
  return { block: put.mutateAsync, unblock: take.mutate };
}
