import type { CampaignFormat } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";

/** All that somebody writes of a campaign: the API keeps it in two places. */
export type Draft = {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly listId: string | null;
  readonly format: CampaignFormat;
  readonly personalize: boolean;
  readonly preheader: string;
  readonly text: string | null;
  readonly fromName: string | null;
  readonly fromEmail: string | null;
  readonly replyTo: string | null;
  readonly segmentId: string | null;
  readonly excludeListIds: string[];
  readonly excludeSegmentIds: string[];
  readonly trackOpens: boolean | null;
  readonly trackClicks: boolean | null;
};

export type SetDraft = (change: Partial<Draft>) => void;

/** What decides whom it goes to, to tell one audience from another. */
export const audienceOf = (draft: Draft | null): string =>
  draft === null
    ? ""
    : JSON.stringify([draft.listId, draft.segmentId, draft.excludeListIds, draft.excludeSegmentIds]);

const path = (id: string) => ({ params: { path: { id } } });

export async function loadDraft(id: string, signal: AbortSignal): Promise<Draft> {
  const [campaign, content, options] = await Promise.all([
    ok(api.GET("/api/v1/campaigns/{id}", { ...path(id), signal })),
    ok(api.GET("/api/v1/campaigns/{id}/content", { ...path(id), signal })),
    ok(api.GET("/api/v1/campaigns/{id}/options", { ...path(id), signal })),
  ]);
  const { name, subject, listId } = campaign.data;
  const { utm: _, topic: __, ...rest } = options.data;
  return { ...rest, name, subject, listId, body: content.data.body };
}

const OWN = ["name", "subject", "body", "listId"] as const;
/** What the API takes only with something in it: an emptied field is not saved, and says so itself. */
const NEVER_EMPTY = ["name", "subject", "body"] as const;

/** Saves what changed. The options go first, so that a new format is there before a body in it. */
export async function saveDraft(id: string, changes: Partial<Draft>): Promise<void> {
  const own: Partial<Pick<Draft, (typeof OWN)[number]>> = {};
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (NEVER_EMPTY.some((one) => one === name) && String(value).trim() === "") continue;
    Object.assign(OWN.some((one) => one === name) ? own : options, { [name]: value });
  }
  if (Object.keys(options).length > 0)
    await ok(api.PATCH("/api/v1/campaigns/{id}/options", { ...path(id), body: options }));
  if (Object.keys(own).length > 0) await ok(api.PATCH("/api/v1/campaigns/{id}", { ...path(id), body: own }));
}
