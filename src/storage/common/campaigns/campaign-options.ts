import { DEFAULT_OPTIONS, type CampaignOptions } from "#campaigns/options/options.ts";
import type { StoredCampaign } from "#campaigns/store.ts";

/** Options that an older version did not know have their default. */
export function storedOptions(json: string | null): StoredCampaign["options"] {
  const { text: _, ...initial } = DEFAULT_OPTIONS;
  return json === null ? initial : { ...initial, ...(JSON.parse(json) as StoredCampaign["options"]) };
}

/** The segments that options name, whether they still exist or not. */
export const segmentsOf = ({
  segmentId,
  excludeSegmentIds,
}: Pick<CampaignOptions, "segmentId" | "excludeSegmentIds">): string[] => [
  ...(segmentId === null ? [] : [segmentId]),
  ...excludeSegmentIds,
];
