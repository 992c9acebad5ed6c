import { useQuery } from "@tanstack/react-query";
import type { Node } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { loadErrorOf } from "../../../api/query.ts";
import { useFormat } from "../../../frame/format.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { Loading } from "../../../parts/states/loading.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { StatusWord } from "../../../parts/status-word.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { Section } from "../parts/section.tsx";

/** A server gives a sign of life every three seconds. */
const LIVE_MS = 3_000;

/** The servers that share a PostgreSQL, kept up to date, for people who own all workspaces. */
export function ServersSection() {
  const { servers } = useTexts();
  const list = useQuery<Node[]>({
    queryKey: ["nodes"],
    refetchInterval: LIVE_MS,
    queryFn: ({ signal }) => ok(api.GET("/api/v1/nodes", { signal })).then(({ data }) => data),
  });
  const error = loadErrorOf(list);
  if (error) return <LoadError error={error} retry={() => void list.refetch()} />;
  return (
    <Section title={servers.title} says={servers.says}>
      {list.data === undefined ? <Loading /> : <ServerTable items={list.data} />}
    </Section>
  );
}

function ServerTable({ items }: { readonly items: readonly Node[] }) {
  const { servers } = useTexts();
  const { number } = useFormat();
  return (
    <DataTable
      items={items}
      keyOf={(node) => String(node.number)}
      columns={[
        { label: servers.name, kind: "long", cell: (node) => <Name node={node} /> },
        { label: servers.state, cell: ({ state }) => <State state={state} /> },
        { label: servers.version, cell: ({ version }) => version },
        { label: servers.startedAt, kind: "when", cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
        { label: servers.lastSeen, kind: "when", cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
        { label: servers.slices, kind: "number", cell: ({ slices }) => number(slices) },
      ]}
    />
  );
}

function Name({ node }: { readonly node: Node }) {
  const { servers } = useTexts();
  const name = servers.named(node.name, node.number);
  return node.answered ? <strong>{servers.answered(name)}</strong> : name;
}

function State({ state }: Pick<Node, "state">) {
  const { servers } = useTexts();
  return <StatusWord tone={state === "LIVE" ? "good" : "quiet"}>{servers.states[state]}</StatusWord>;
}
