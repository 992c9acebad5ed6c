import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, ok } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { EmptyState } from "../../parts/states/empty-state.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { CampaignRows } from "../campaigns/campaign-rows.tsx";

const SHOWN = 5;

/** The last five campaigns, with their results. */
export function LatestCampaigns() {
  const { overview } = useTexts();
  const campaigns = useQuery({
    queryKey: ["campaigns", "latest"],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/campaigns", { params: { query: { limit: SHOWN, include: "delivered" } }, signal }),
      ).then(({ data }) => data),
  });
  const error = loadErrorOf(campaigns);
  if (error) return <LoadError error={error} retry={() => void campaigns.refetch()} />;
  if (campaigns.data === undefined) return <Loading />;
  if (campaigns.data.length === 0)
    return <EmptyState title={overview.noCampaigns} says={overview.noCampaignsSays} />;
  return (
    <section aria-labelledby="latest">
      <Title order={2} id="latest" mb="xs">
        {overview.campaigns}
      </Title>
      <CampaignRows campaigns={campaigns.data} />
    </section>
  );
}
