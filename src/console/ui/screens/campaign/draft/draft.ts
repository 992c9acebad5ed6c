import type { CampaignCreate, CampaignOptionsUpdate } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import type { Draft } from "./draft-fields.ts";

/** The fields that decide who gets it, as a text, to compare audiences. */
export const audienceOf = (draft: Draft | null): string =>
  draft === null
    ? ""
    : JSON.stringify([draft.listId, draft.segmentId, draft.excludeListIds, draft.excludeSegmentIds]);

const path = (id: string) => ({ params: { path: { id } } });

/** Everything but the body, which may be large. */
export async function loadHead(id: string, signal: AbortSignal | null = null): Promise<Omit<Draft, "body">> {
  const [campaign, options] = await Promise.all([
    ok(api.GET("/api/v1/campaigns/{id}", { ...path(id), signal })),
    ok(api.GET("/api/v1/campaigns/{id}/options", { ...path(id), signal })),
  ]);
  const { name, subject, listId } = campaign.data;
  const { utm: _, topic: __, ...rest } = options.data;
  return { ...rest, name, subject, listId };
}

export async function loadDraft(id: string, signal: AbortSignal | null = null): Promise<Draft> {
  const [head, content] = await Promise.all([
    loadHead(id, signal),
    ok(api.GET("/api/v1/campaigns/{id}/content", { ...path(id), signal })),
  ]);
  return { ...head, body: content.data.body };
}

const OWN = ["name", "subject", "body", "listId"] as const;
/** The API accepts these only with content: an emptied field is not saved, and the screen says so. */
const NEVER_EMPTY = ["name", "subject", "body"] as const;

/**
 * Saves what changed. The options go first, so that a new format is there before a body in it.
 * @returns what was saved, as the server has it now
 */
export async function saveDraft(id: string, changes: Partial<Draft>): Promise<Partial<Draft>> {
  const own: Partial<Pick<Draft, (typeof OWN)[number]>> = {};
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changes)) {
    if (NEVER_EMPTY.some((one) => one === name) && String(value).trim() === "") continue;
    Object.assign(OWN.some((one) => one === name) ? own : options, { [name]: value });
  }
  const saved: Record<string, unknown> = own.body === undefined ? {} : { body: own.body.toWellFormed() };
  const keep = (names: object, data: Readonly<Record<string, unknown>>): void => {
    for (const name of Object.keys(names)) if (name !== "body") saved[name] = data[name];
  };
  if (Object.keys(options).length > 0)
    keep(
      options,
      (await ok(api.PATCH("/api/v1/campaigns/{id}/options", { ...path(id), body: options }))).data,
    );
  if (Object.keys(own).length > 0)
    keep(own, (await ok(api.PATCH("/api/v1/campaigns/{id}", { ...path(id), body: own }))).data);
  return saved;
}

export const isStillScheduled = async (id: string): Promise<boolean> =>
  (await ok(api.GET("/api/v1/campaigns/{id}", path(id)))).data.status === "SCHEDULED";

/** Makes a new campaign from what is written here. @returns its id */
export const saveAsNew = ({ name, subject, body, listId, ...options }: Draft): Promise<string> =>
  makeCampaign({ name, subject, body, listId }, options);

/** Makes a campaign with its options, or none if something of it is refused. @returns its id */
export async function makeCampaign(own: CampaignCreate, options: CampaignOptionsUpdate): Promise<string> {
  const { data } = await ok(api.POST("/api/v1/campaigns", { body: own }));
  try {
    await ok(api.PATCH("/api/v1/campaigns/{id}/options", { ...path(data.id), body: options }));
  } catch (error) {
    // Whoever tries again would make one more.
    await api.DELETE("/api/v1/campaigns/{id}", path(data.id)).catch(() => {});
    throw error;
  }
  return data.id;
}
