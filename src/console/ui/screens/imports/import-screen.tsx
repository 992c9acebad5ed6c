import { Alert, Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { Import } from "../../api/api.gen.ts";
import { api, isNotFound, ok } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { useFormat } from "../../frame/format.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ImportProgress, ImportStateWord } from "./import-standing.tsx";
import { RowErrors } from "./row-errors.tsx";

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
        api.GET("/api/v1/imports/{id}", {
          params: { path: { id }, query: { include: "share,format" } },
          signal,
        }),
      ).then(({ data }) => data),
  });
  if (isNotFound(query.error)) return <NotFound />;
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
      beside={<ImportStateWord state={one.state} />}
      back={{ href: "/imports", label: imports.all }}
      actions={
        <Button component={Link} href="/contacts" variant={isRunning ? "default" : "filled"}>
          {imports.toContacts}
        </Button>
      }
    >
      <Stack gap="lg">
        {isRunning && (
          <div>
            <ImportProgress one={one} />
            <p className="imports-says">{imports.live}</p>
          </div>
        )}
        {one.error !== null && <Alert color="red">{fromServer(one.error)}</Alert>}
        <p className="imports-sum" role="status">
          {!isRunning && imports.rows(quantity(one.rows))}
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
        {(!isRunning || one.failed > 0) && <RowErrors one={one} />}
      </Stack>
    </Page>
  );
}
