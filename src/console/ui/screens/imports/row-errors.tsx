import { Button, Group, Table, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Import, ImportError } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { keepCsv } from "../../parts/copies/keep-file.ts";
import { Paged } from "../../parts/lists/paged.tsx";
import { sayRefusal } from "../../parts/saving/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FailedRows } from "./failed-rows.tsx";
import { messagesOf } from "./messages.ts";
import { messagesAsCsv } from "./plan.ts";

/** From so many messages on, the server may have left some out (`GET /imports/{id}/errors`). */
const ALL_KEPT_BELOW = 500;

/** What is wrong with its rows, by line. Nothing is shown where nothing is wrong. */
export function RowErrors({ one }: { readonly one: Import }) {
  const { imports, fromServer } = useTexts();
  const pages = usePages<ImportError>(
    ["imports", "errors", one.id, one.state],
    ({ query, signal }) =>
      ok(api.GET("/api/v1/imports/{id}/errors", { params: { path: { id: one.id }, query }, signal })),
    () => one.state === "RUNNING",
  );
  return (
    <Paged pages={pages} empty={null}>
      {(items) => (
        <section aria-labelledby="errors">
          <Group justify="space-between" mb="xs">
            <Title order={2} id="errors">
              {imports.errors}
            </Title>
            {one.state !== "RUNNING" && (
              <Group gap="xs">
                {one.format && <FailedRows one={one} format={one.format} />}
                <KeepMessages one={one} />
              </Group>
            )}
          </Group>
          {(pages.data?.pages[0]?.pagination.total ?? 0) >= ALL_KEPT_BELOW && (
            <p className="imports-says">{imports.onlyFirst}</p>
          )}
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{imports.line}</Table.Th>
                <Table.Th>{imports.message}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map(({ line, message }, place) => (
                <Table.Tr key={place}>
                  <Table.Td>{line}</Table.Td>
                  <Table.Td className="imports-text sentence">{fromServer(message)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </Paged>
  );
}

/** Keeps all messages as a file. */
function KeepMessages({ one: { id, fileName } }: { readonly one: Import }) {
  const { imports } = useTexts();
  const keep = useMutation({
    mutationFn: async () => {
      const text = messagesAsCsv([imports.line, imports.message], await messagesOf(id));
      keepCsv(text, `${fileName}.errors.csv`);
    },
    onError: sayRefusal,
  });
  return (
    <Button variant="subtle" loading={keep.isPending} onClick={() => keep.mutate()}>
      {imports.download}
    </Button>
  );
}
