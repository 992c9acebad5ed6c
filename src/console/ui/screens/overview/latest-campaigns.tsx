import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Campaign, CampaignStatus } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Count, None, Share } from "../../parts/numbers.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { StatusWord, type Tone } from "../../parts/status-word.tsx";
import { useTexts } from "../../texts/texts.tsx";

const SHOWN = 5;

/** The last five campaigns, with what became of them. */
export function LatestCampaigns() {
  const { overview } = useTexts();
  const campaigns = useQuery({
    queryKey: ["campaigns", "latest"],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/campaigns", { params: { query: { limit: SHOWN, include: "delivered" } }, signal }),
      ).then(({ data }) => data),
  });
  if (campaigns.error) return <LoadError error={campaigns.error} retry={() => void campaigns.refetch()} />;
  if (campaigns.data === undefined) return <Loading />;
  if (campaigns.data.length === 0)
    return <EmptyState title={overview.noCampaigns} says={overview.noCampaignsSays} />;
  return (
    <section aria-labelledby="latest">
      <Title order={2} id="latest" mb="xs">
        {overview.campaigns}
      </Title>
      <CampaignTable campaigns={campaigns.data} />
    </section>
  );
}

const TONES: Readonly<Record<CampaignStatus, Tone>> = { DRAFT: "quiet", SCHEDULED: "busy", SENT: "good" };

function CampaignTable({ campaigns }: { readonly campaigns: readonly Campaign[] }) {
  const { overview, campaigns: texts } = useTexts();
  const { columns } = overview;
  return (
    <DataTable
      items={campaigns}
      keyOf={({ id }) => id}
      columns={[
        {
          label: columns.name,
          kind: "long",
          cell: ({ id, name, status }) => (
            <Link href={status === "SENT" ? `/campaigns/${id}/report` : `/campaigns/${id}`}>{name}</Link>
          ),
        },
        {
          label: columns.state,
          cell: ({ status }) => <StatusWord tone={TONES[status]}>{texts.states[status]}</StatusWord>,
        },
        {
          label: columns.sent,
          kind: "number",
          cell: ({ stat }) => (stat ? <Count value={stat.delivered ?? 0} /> : <None />),
        },
        {
          label: columns.opened,
          kind: "number",
          cell: ({ stat }) => (stat ? <Share part={stat.opened} whole={stat.delivered ?? 0} /> : <None />),
        },
        {
          label: columns.when,
          kind: "when",
          cell: ({ sentAt, scheduledAt, createdAt }) => (
            <RelativeTime at={sentAt ?? scheduledAt ?? createdAt} />
          ),
        },
      ]}
    />
  );
}
