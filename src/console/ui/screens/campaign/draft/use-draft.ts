import { useSharedDraft, type UsedDraft } from "../../../autosave/use-shared-draft.ts";
import type { Draft } from "./draft-fields.ts";
import { loadDraft, loadHead, saveDraft } from "./draft.ts";

export type CampaignDraft = UsedDraft<Draft>;

/** A campaign that is being written. It is saved automatically. */
export const useDraft = (id: string, mayEdit: boolean): CampaignDraft =>
  useSharedDraft<Draft>({
    name: `campaign.${id}`,
    key: ["campaign", id, "draft"],
    shownIn: "campaigns",
    mayEdit,
    load: (signal) => loadDraft(id, signal),
    loadFor: ({ body }) => (body === undefined ? loadHead(id) : loadDraft(id)),
    save: (changes) => saveDraft(id, changes),
  });
