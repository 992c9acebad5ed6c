import { audienceOptions, isListAlone, type Audience } from "#campaigns/send/audience.ts";
import type { AudienceOptions } from "#campaigns/options/options.ts";

/** What a plan keeps of whom it is for; null: the list alone says it. */
export const planAudience = (options: AudienceOptions): string | null =>
  isListAlone(options) ? null : JSON.stringify(audienceOptions(options));

/** Said of a list that was deleted since: nobody is on it. */
const GONE = "";

/** Whom a plan is for, by what it kept. `list` is its number, `listId` the list's id if it is still there. */
export const audienceToSettle = (row: {
  readonly audience: string;
  readonly list: number | null;
  readonly listId: string | null;
}): Audience => ({
  ...(JSON.parse(row.audience) as AudienceOptions),
  listId: row.list === null ? null : (row.listId ?? GONE),
});
