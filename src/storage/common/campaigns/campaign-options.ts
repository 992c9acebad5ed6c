import { DEFAULT_OPTIONS, type CampaignOptions } from "#campaigns/options/options.ts";
import type { StoredCampaign } from "#campaigns/store.ts";

/** Options that the writing version did not know are as at first. */
export function storedOptions(json: string | null): StoredCampaign["options"] {
  const { text: _, ...initial } = DEFAULT_OPTIONS;
  return json === null ? initial : { ...initial, ...(JSON.parse(json) as StoredCampaign["options"]) };
}

/** The segments that options name, whether they are still there or not. */
export const segmentsOf = ({
  segmentId,
  excludeSegmentIds,
}: Pick<CampaignOptions, "segmentId" | "excludeSegmentIds">): string[] => [
  ...(segmentId === null ? [] : [segmentId]),
  ...excludeSegmentIds,
];
