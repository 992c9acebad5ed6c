import { useQuery } from "@tanstack/react-query";
import { Redirect, useParams } from "wouter";
import { api, isNotFound, ok } from "../../api/client.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { addressOf, isOut } from "../campaigns/campaign-state.ts";
import { WritingPage } from "./writing-page.tsx";

/** A campaign that is being written. Once its mail goes out, its report is shown. */
export default function CampaignScreen() {
  const { id } = useParams<{ id: string }>();
  const campaign = useQuery({
    queryKey: ["campaign", id],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns/{id}", { params: { path: { id } }, signal })).then(({ data }) => data),
  });
  const isGone = isNotFound(campaign.error);
  // If it is deleted elsewhere, what was written on this page must not be lost.
  if (isGone && campaign.data === undefined) return <NotFound />;
  if (campaign.error && campaign.data === undefined)
    return <LoadError error={campaign.error} retry={() => void campaign.refetch()} />;
  if (campaign.data === undefined) return <Loading />;
  if (isOut(campaign.data)) return <Redirect to={addressOf(campaign.data)} replace />;
  return <WritingPage key={id} campaign={campaign.data} isGone={isGone} />;
}
