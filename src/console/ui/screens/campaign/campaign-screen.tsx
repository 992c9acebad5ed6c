import { Redirect, useParams } from "wouter";
import { isNotFound } from "../../api/client.ts";
import { loadErrorOf } from "../../api/query.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { NotFound } from "../../parts/states/not-found.tsx";
import { addressOf, isOut } from "../campaigns/campaign-state.ts";
import { useCampaign } from "./queries.ts";
import { WritingPage } from "./writing-page.tsx";

/** A campaign that is being written. Once its mail goes out, its report is shown. */
export default function CampaignScreen() {
  const { id } = useParams<{ id: string }>();
  const campaign = useCampaign(id);
  const isGone = isNotFound(campaign.error);
  // If it is deleted elsewhere, what was written on this page must not be lost.
  if (isGone && campaign.data === undefined) return <NotFound />;
  const error = loadErrorOf(campaign);
  if (error) return <LoadError error={error} retry={() => void campaign.refetch()} />;
  if (campaign.data === undefined) return <Loading />;
  if (isOut(campaign.data)) return <Redirect to={addressOf(campaign.data)} replace />;
  return <WritingPage key={id} campaign={campaign.data} isGone={isGone} />;
}
