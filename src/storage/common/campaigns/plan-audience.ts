import { audienceOptions, isListAlone, type Audience } from "#campaigns/send/audience.ts";
import type { AudienceOptions } from "#campaigns/options/options.ts";

/** What a plan stores about its audience; null: the list alone decides. */
export const planAudience = (options: AudienceOptions): string | null =>
  isListAlone(options) ? null : JSON.stringify(audienceOptions(options));

/** Stands for a list that was deleted: nobody is on it. */
const GONE = "";

/** The audience of a plan, from what it stored. `list` is the list's number, `listId` its id if it still exists. */
export const audienceToSettle = (row: {
  readonly audience: string;
  readonly list: number | null;
  readonly listId: string | null;
}): Audience => ({
  ...(JSON.parse(row.audience) as AudienceOptions),
  listId: row.list === null ? null : (row.listId ?? GONE),
});
