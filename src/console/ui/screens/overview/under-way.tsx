import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Campaign } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { Bar } from "../../parts/numbers.tsx";
import { useNow } from "../../parts/relative-time.tsx";
import { useTexts } from "../../texts/texts.tsx";

const LOOKED_AT = 20;
const LIVE_MS = 2_000;
const CALM_MS = 20_000;

/** The latest campaigns include those that are being sent. */
export const useUnderWay = () =>
  useQuery({
    queryKey: ["campaigns", "under way"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns", { params: { query: { limit: LOOKED_AT } }, signal })).then(
        ({ data }) => data,
      ),
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
    queryKey: ["campaigns", id, "report"],
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
