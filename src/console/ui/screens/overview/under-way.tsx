import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Campaign, paths } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { firstThousand } from "../../api/pages.ts";
import { useFormat } from "../../frame/format.ts";
import { Bar } from "../../parts/numbers.tsx";
import { useNow } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** The most that the server gives at once. */
const DRAFTS_MAX = 100;
const LIVE_MS = 2_000;
const CALM_MS = 20_000;

type CampaignQuery = NonNullable<paths["/api/v1/campaigns"]["get"]["parameters"]["query"]>;

/**
 * Those that may be being sent: what goes out at its time stays SCHEDULED until everybody has it, however
 * long ago it was made. What goes out by hand stays a DRAFT; it is among the latest ones.
 */
export const useUnderWay = () =>
  useQuery({
    queryKey: ["campaigns", "under way"],
    queryFn: async ({ signal }): Promise<Campaign[]> => {
      const ask = (query: CampaignQuery) => ok(api.GET("/api/v1/campaigns", { params: { query }, signal }));
      const [scheduled, drafts] = await Promise.all([
        firstThousand((place) => ask({ ...place, status: "SCHEDULED" })),
        ask({ status: "DRAFT", limit: DRAFTS_MAX }),
      ]);
      return [...scheduled, ...drafts.data];
    },
    refetchInterval: CALM_MS,
  });

/** The sends that are running, each with a bar that updates by itself. */
export function UnderWay() {
  const { overview } = useTexts();
  const now = useNow();
  const campaigns = useUnderWay();
  const begun = campaigns.data?.filter((campaign) => hasBegun(campaign, now)) ?? [];
  if (begun.length === 0) return null;
  return (
    <section aria-labelledby="under-way">
      <Title order={2} id="under-way" mb="sm">
        {overview.underWay}
      </Title>
      <ul className="overview-sends">
        {begun.map((campaign) => (
          <Send key={campaign.id} campaign={campaign} />
        ))}
      </ul>
    </section>
  );
}

const hasBegun = ({ status, stat, scheduledAt }: Campaign, now: number): boolean =>
  status !== "SENT" && (stat !== null || (scheduledAt !== null && Date.parse(scheduledAt) <= now));

function Send({ campaign: { id, name } }: { readonly campaign: Campaign }) {
  const { overview, fromServer } = useTexts();
  const { quantity } = useFormat();
  const report = useQuery({
    queryKey: ["campaign", id, "progress"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns/{id}/report", { params: { path: { id } }, signal })).then(
        ({ data }) => data,
      ),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : LIVE_MS),
  });
  if (report.data === undefined) return <li className="overview-send-place" />;
  const { planned, remaining, blocked } = report.data;
  const done = planned - remaining;
  return (
    <li>
      <div className="overview-send-head">
        <Link href={`/campaigns/${id}`}>{name}</Link>
        <span>{overview.sentOf(quantity(done), quantity(planned))}</span>
      </div>
      <Bar part={done} whole={planned} label={overview.progressOf(name)} />
      {blocked !== null && <p className="overview-advice">{fromServer(blocked)}</p>}
    </li>
  );
}
