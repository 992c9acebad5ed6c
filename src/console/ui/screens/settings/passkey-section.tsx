import { Button, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { passkeyHindrance, passkeyHost } from "../../api/passkeys.ts";
import { facts } from "../../frame/page-facts.ts";
import { ConfirmByNumber } from "../../parts/confirm-by-number.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { sayRefusal } from "../../parts/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { AddPasskey } from "./add-passkey.tsx";
import { Section } from "./section.tsx";

const KEY = ["passkeys"] as const;

/** The person's passkeys: what they are called, where they work, and another one. */
export function PasskeySection() {
  const { passkeys } = useTexts();
  const queries = useQueryClient();
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const hindrance = passkeyHindrance();
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => ok(api.GET("/api/v1/session/passkeys", { signal })).then(({ data }) => data),
  });
  if (list.error) return <LoadError error={list.error} retry={() => void list.refetch()} />;
  return (
    <Section title={passkeys.title} says={passkeyHost === "" ? passkeys.says : passkeys.saysAt(passkeyHost)}>
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
    <Table.ScrollContainer minWidth={320} mb="md">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{passkeys.column}</Table.Th>
            <Table.Th>{passkeys.added}</Table.Th>
            <Table.Th>{passkeys.lastUsed}</Table.Th>
            <Table.Th ta="right">{passkeys.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((passkey) => (
            <Table.Tr key={passkey.id}>
              <Table.Td className="settings-long">
                {passkey.name}
                {passkey.host !== passkeyHost && (
                  <div className="settings-bad">{passkeys.ofAnotherHost(passkey.host)}</div>
                )}
              </Table.Td>
              <Table.Td>
                <RelativeTime at={passkey.createdAt} />
              </Table.Td>
              <Table.Td>
                {passkey.lastUsedAt === null ? passkeys.never : <RelativeTime at={passkey.lastUsedAt} />}
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={passkeys.removeIt(passkey.name)}
                  onClick={() => remove(passkey)}
                >
                  {passkeys.remove}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type RemoveProps = { readonly removed: Passkey | null; readonly onClose: () => void };

function RemovePasskey({ removed, onClose }: RemoveProps) {
  const { passkeys } = useTexts();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: (id: string) => ok(api.DELETE("/api/v1/session/passkeys/{id}", { params: { path: { id } } })),
    onSuccess: onClose,
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <ConfirmByNumber
      opened={removed !== null}
      onClose={onClose}
      title={passkeys.removeTitle}
      answer={removed?.name ?? ""}
      action={passkeys.remove}
      isDangerous
      isBusy={removing.isPending}
      onConfirm={() => removed !== null && removing.mutate(removed.id)}
    >
      <Text>{passkeys.removeSays}</Text>
    </ConfirmByNumber>
  );
}
