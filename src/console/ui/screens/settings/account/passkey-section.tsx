import { Button, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { passkeyHindrance, passkeyHost } from "../../../api/passkeys.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { facts } from "../../../frame/page-facts.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { RemoveDialog } from "../../../parts/remove-dialog.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { Section } from "../parts/section.tsx";

const KEY = ["passkeys"] as const;

/** The person's passkeys with their names and hosts, and a button to add one. */
export function PasskeySection() {
  const { passkeys } = useTexts();
  const queries = useQueryClient();
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const hindrance = passkeyHindrance();
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => ok(api.GET("/api/v1/session/passkeys", { signal })).then(({ data }) => data),
  });
  const error = loadErrorOf(list);
  if (error) return <LoadError error={error} retry={() => void list.refetch()} />;
  return (
    <Section title={passkeys.title} says={hindrance === null ? passkeys.saysAt(passkeyHost) : passkeys.says}>
      {list.data === undefined ? <Loading /> : <PasskeyTable items={list.data} remove={setRemoved} />}
      {hindrance === null ? (
        <AddPasskey onAdded={() => queries.invalidateQueries({ queryKey: KEY })} />
      ) : (
        <Text c="dimmed">{passkeys.hindrances[hindrance](facts.passkeyOrigin ?? "")}</Text>
      )}
      <RemovePasskey removed={removed} onClose={() => setRemoved(null)} />
    </Section>
  );
}

type TableProps = { readonly items: readonly Passkey[]; readonly remove: (passkey: Passkey) => void };

function PasskeyTable({ items, remove }: TableProps) {
  const { passkeys } = useTexts();
  if (items.length === 0) return null;
  return (
    <DataTable
      items={items}
      keyOf={({ id }) => id}
      columns={[
        {
          label: passkeys.column,
          kind: "long",
          cell: ({ name, host }) => (
            <>
              {name}
              {host !== passkeyHost && <div className="settings-bad">{passkeys.ofAnotherHost(host)}</div>}
            </>
          ),
        },
        { label: passkeys.added, kind: "when", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        {
          label: passkeys.lastUsed,
          kind: "when",
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? passkeys.never : <RelativeTime at={lastUsedAt} />),
        },
        {
          label: passkeys.actions,
          kind: "actions",
          cell: (passkey) => (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={passkeys.removeIt(passkey.name)}
              onClick={() => remove(passkey)}
            >
              {passkeys.remove}
            </Button>
          ),
        },
      ]}
    />
  );
}

type RemoveProps = { readonly removed: Passkey | null; readonly onClose: () => void };

function RemovePasskey({ removed, onClose }: RemoveProps) {
  const { passkeys } = useTexts();
  return (
    <RemoveDialog
      removed={removed}
      onClose={onClose}
      nameOf={({ name }) => name}
      title={passkeys.removeTitle}
      says={passkeys.removeSays}
      action={passkeys.remove}
      remove={(id) => ok(api.DELETE("/api/v1/session/passkeys/{id}", { params: { path: { id } } }))}
      queryKey={KEY}
    />
  );
}
