import { Alert, Group, Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Import, ImportError } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import { useFormat } from "../../../frame/format.ts";
import { EmptyState } from "../../../parts/states/empty-state.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { Count } from "../../../parts/numbers.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { BackLink } from "../back-link.tsx";
import { ImportStanding } from "./import-standing.tsx";

/** The service keeps this many messages about the rows of a file (`GET /imports/{id}/errors`). */
const MESSAGES_KEPT = 1_000;
const LIVE_MS = 3_000;
const FIGURES = ["rows", "created", "updated", "skipped", "failed"] as const;

/** One import: what happened to its rows, and what is wrong with those that failed. */
export function ImportDetail({ id }: { readonly id: string }) {
  const { activity } = useTexts();
  const found = useQuery({
    queryKey: ["imports", id],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/imports/{id}", { params: { path: { id }, query: { include: "share" } }, signal }),
      ).then(({ data }) => data),
    refetchInterval: ({ state }) => (state.data?.state === "RUNNING" ? LIVE_MS : false),
  });
  return (
    <>
      <BackLink href="/activity?tab=imports" label={activity.backToImports} />
      {found.error && <LoadError error={found.error} retry={() => void found.refetch()} />}
      {found.data === undefined && !found.error && <Loading />}
      {found.data && <Told one={found.data} />}
    </>
  );
}

function Told({ one }: { readonly one: Import }) {
  const { imports, fromServer } = useTexts();
  return (
    <>
      <Group mb="md" gap="sm">
        <Title order={2} className="activity-long">
          {one.fileName}
        </Title>
        <ImportStanding one={one} />
      </Group>
      {one.error !== null && (
        <Alert color="red" mb="md">
          {fromServer(one.error)}
        </Alert>
      )}
      <dl className="activity-figures">
        {FIGURES.map((name) => (
          <div key={name}>
            <dt>{imports.figures[name]}</dt>
            <dd>
              <Count value={one[name]} />
            </dd>
          </div>
        ))}
      </dl>
      <RowMessages one={one} />
    </>
  );
}

/** The messages about its rows, by line. */
function RowMessages({ one: { id, state, failed } }: { readonly one: Import }) {
  const { activity, fromServer } = useTexts();
  const { imports: texts } = activity;
  const { quantity } = useFormat();
  // A running import adds messages, so a new count loads them again.
  const pages = usePages<ImportError>(["imports", id, "errors", state, failed], ({ query, signal }) =>
    ok(api.GET("/api/v1/imports/{id}/errors", { params: { path: { id }, query }, signal })),
  );
  return (
    <Paged pages={pages} empty={<EmptyState title={texts.noErrors} says={texts.noErrorsSays} />}>
      {(items) => (
        <>
          {failed > MESSAGES_KEPT && (
            <p className="activity-quiet">{texts.onlyFirst(quantity(MESSAGES_KEPT))}</p>
          )}
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th ta="right">{texts.line}</Table.Th>
                <Table.Th>{texts.says}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map(({ line, message }) => (
                <Table.Tr key={`${line} ${message}`}>
                  <Table.Td ta="right" className="activity-line">
                    <Count value={line} />
                  </Table.Td>
                  <Table.Td className="activity-long sentence">{fromServer(message)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Paged>
  );
}
