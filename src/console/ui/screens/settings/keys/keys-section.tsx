import { Button } from "@mantine/core";
import { useState } from "react";
import type { Key } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { NewKey } from "./new-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { Section } from "../parts/section.tsx";

/** The keys of programs that use the API. */
export function KeysSection() {
  const { keys } = useTexts();
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const pages = usePages<Key>(["keys"], ({ query, signal }) =>
    ok(api.GET("/api/v1/keys", { params: { query: { ...query, include: "scope" } }, signal })),
  );
  return (
    <Section
      title={keys.title}
      says={keys.says}
      actions={<Button onClick={() => setMaking(true)}>{keys.make}</Button>}
    >
      <Paged pages={pages} empty={<p>{keys.none}</p>}>
        {(items) => <KeyTable items={items} revoke={setRevoked} />}
      </Paged>
      <NewKey opened={isMaking} onClose={() => setMaking(false)} />
      <RevokeKey revoked={revoked} onClose={() => setRevoked(null)} />
    </Section>
  );
}

type TableProps = { readonly items: readonly Key[]; readonly revoke: (key: Key) => void };

function KeyTable({ items, revoke }: TableProps) {
  const { keys } = useTexts();
  return (
    <DataTable
      items={items}
      keyOf={({ id }) => id}
      columns={[
        {
          label: keys.name,
          kind: "long",
          cell: ({ name, prefix }) => (
            <>
              {name === "" ? keys.unnamed : name}
              <div className="settings-prefix">{prefix}…</div>
            </>
          ),
        },
        { label: keys.scope, cell: ({ scope }) => keys.scopes[scope ?? "full"].label },
        {
          label: keys.lastUsed,
          kind: "when",
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? keys.never : <RelativeTime at={lastUsedAt} />),
        },
        {
          label: keys.actions,
          kind: "actions",
          cell: (key) =>
            key.revokedAt === null ? (
              <Button size="compact-sm" variant="subtle" onClick={() => revoke(key)}>
                {keys.revoke}
              </Button>
            ) : (
              keys.revoked
            ),
        },
      ]}
    />
  );
}
