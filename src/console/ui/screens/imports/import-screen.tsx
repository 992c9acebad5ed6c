import { Alert, Button, Group, Stack, Table, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { Import } from "../../api/api.gen.ts";
import { ApiError, api, ok } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { keepFile } from "../../parts/copies/keep-file.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { FailedRows } from "./failed-rows.tsx";
import { ImportBar } from "../../parts/import-bar.tsx";
import { messagesAsCsv } from "./plan.ts";
import { STATE_TONES } from "./state-tones.ts";

const LIVE_MS = 1_000;

/** The progress of an import, and in the end how many contacts it created, changed and skipped. */
export default function ImportScreen() {
  const { id = "" } = useParams();
  const { imports } = useTexts();
  const query = useQuery<Import>({
    queryKey: ["imports", "one", id],
    refetchInterval: ({ state }) => (state.data?.state === "RUNNING" ? LIVE_MS : false),
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/imports/{id}", { params: { path: { id }, query: { include: "share" } }, signal }),
      ).then(({ data }) => data),
  });
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  const error = loadErrorOf(query);
  if (error) return <LoadError error={error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <Page title={imports.all}>
        <Loading />
      </Page>
    );
  return <OneImport one={query.data} />;
}

function OneImport({ one }: { readonly one: Import }) {
  const { imports, fromServer } = useTexts();
  const { number, quantity } = useFormat();
  const isRunning = one.state === "RUNNING";
  return (
    <Page
      title={one.fileName}
      beside={<StatusWord tone={STATE_TONES[one.state]}>{imports.states[one.state]}</StatusWord>}
      back={{ href: "/imports", label: imports.all }}
      actions={
        <Button component={Link} href="/contacts" variant={isRunning ? "default" : "filled"}>
          {imports.toContacts}
        </Button>
      }
    >
      <Stack gap="lg">
        {isRunning && <Running one={one} />}
        {one.error !== null && <Alert color="red">{fromServer(one.error)}</Alert>}
        <p className="imports-sum" role="status">
          {imports.rows(quantity(one.rows))}
        </p>
        <dl className="imports-figures">
          {(["created", "updated", "skipped", "failed"] as const).map((figure) => (
            <div key={figure}>
              <dt>{imports.figures[figure]}</dt>
              <dd className="count">{number(one[figure])}</dd>
              {figure === "skipped" && one.skipped > 0 && (
                <dd className="imports-says">{imports.skippedSays}</dd>
              )}
            </div>
          ))}
        </dl>
        {!isRunning && <RowErrors one={one} />}
      </Stack>
    </Page>
  );
}

function Running({ one }: { readonly one: Import }) {
  const { imports } = useTexts();
  const { may } = useSession();
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/imports/{id}", { params: { path: { id: one.id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["imports"] }),
  });
  return (
    <div className="imports-running">
      <ImportBar name={imports.running} share={one.share ?? null} />
      <Group justify="space-between">
        <span className="imports-says">{imports.live}</span>
        {may("editor") && (
          <Button variant="default" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
            {imports.cancel}
          </Button>
        )}
      </Group>
      <span className="imports-says">{imports.cancelSays}</span>
      {cancelling.error && <LoadError error={cancelling.error} />}
    </div>
  );
}

/** With a byte order mark: otherwise spreadsheets assume another encoding. */
const CSV = "text/csv;charset=utf-8";

type Message = { readonly line: number; readonly message: string };

/** All messages that the server keeps: the first thousand. */
async function messagesOf(id: string, signal: AbortSignal): Promise<Message[]> {
  const found: Message[] = [];
  for (let after: string | null = ""; after !== null;) {
    const query: { limit: number; after?: string } = { limit: 100, ...(after === "" ? {} : { after }) };
    const page: { data: Message[]; pagination: { nextCursor: string | null } } = await ok(
      api.GET("/api/v1/imports/{id}/errors", { params: { path: { id }, query }, signal }),
    );
    found.push(...page.data);
    after = page.pagination.nextCursor;
  }
  return found;
}

const SHOWN = 50;

function RowErrors({ one }: { readonly one: Import }) {
  const { imports, fromServer } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ["imports", "errors", one.id],
    queryFn: ({ signal }) => messagesOf(one.id, signal),
  });
  if (error && data === undefined) return <LoadError error={error} retry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="errors">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="errors">
          {imports.errors}
        </Title>
        <Group gap="xs">
          <FailedRows one={one} errors={data} />
          <Button
            variant="subtle"
            onClick={() =>
              keepFile(
                new Blob(["\uFEFF", messagesAsCsv([imports.line, imports.message], data)], { type: CSV }),
                `${one.fileName}.errors.csv`,
              )
            }
          >
            {imports.download}
          </Button>
        </Group>
      </Group>
      {one.failed > data.length && <p className="imports-says">{imports.onlyFirst}</p>}
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{imports.line}</Table.Th>
            <Table.Th>{imports.message}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.slice(0, SHOWN).map(({ line, message }, place) => (
            <Table.Tr key={place}>
              <Table.Td>{line}</Table.Td>
              <Table.Td className="imports-text sentence">{fromServer(message)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
