import { Box, Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Suppression } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useAddress } from "../../../frame/use-address.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { NameSearch } from "../../../parts/name-search.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { sayRefusal, useUndo } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { AddLine } from "../parts/add-line.tsx";

const KEY = ["suppressions"] as const;
const SEARCH = { q: "" };

export function SuppressedAddresses() {
  const { suppressions } = useTexts();
  const { may } = useSession();
  const [{ q }, setAddress] = useAddress(SEARCH);
  const { add } = useSuppressing();
  const pages = usePages<Suppression>([...KEY, q], ({ query, signal }) =>
    ok(
      api.GET("/api/v1/suppressions", {
        params: { query: { ...query, ...(q === "" ? {} : { q }) } },
        signal,
      }),
    ),
  );
  return (
    <>
      {may("editor") && (
        <AddLine label={suppressions.address} action={suppressions.add} type="email" add={add} />
      )}
      <Box mb="md">
        <NameSearch label={suppressions.search} value={q} onSearch={(text) => setAddress({ q: text })} />
      </Box>
      <Paged pages={pages} empty={<p>{q === "" ? suppressions.none : suppressions.noneFound}</p>}>
        {(items) => <AddressTable items={items} />}
      </Paged>
    </>
  );
}

function AddressTable({ items }: { readonly items: readonly Suppression[] }) {
  const { suppressions } = useTexts();
  const { may } = useSession();
  const { remove } = useSuppressing();
  return (
    <DataTable
      items={items}
      keyOf={({ email }) => email}
      columns={[
        { label: suppressions.address, kind: "long", cell: ({ email }) => email },
        { label: suppressions.why, cell: ({ reason }) => suppressions.reasons[reason] },
        {
          label: suppressions.since,
          kind: "when",
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        may("editor")
          ? {
              label: suppressions.actions,
              kind: "actions",
              cell: (one) => (
                <Button size="compact-sm" variant="subtle" onClick={() => remove(one)}>
                  {suppressions.remove}
                </Button>
              ),
            }
          : null,
      ]}
    />
  );
}

function useSuppressing() {
  const queries = useQueryClient();
  const { suppressions } = useTexts();
  const undo = useUndo();
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const put = useMutation({
    mutationFn: ({ email, reason }: Pick<Suppression, "email"> & Partial<Suppression>) =>
      ok(api.POST("/api/v1/suppressions", { body: { email, ...(reason ? { reason } : {}) } })),
    onSettled,
  });
  const take = useMutation({
    mutationFn: ({ email }: Suppression) =>
      ok(api.DELETE("/api/v1/suppressions/{email}", { params: { path: { email } } })),
    onSettled,
    onError: sayRefusal,
    onSuccess: (_, one) => undo(suppressions.removed(one.email), () => put.mutate(one)),
  });
  return { add: (email: string) => put.mutateAsync({ email }), remove: take.mutate };
}
