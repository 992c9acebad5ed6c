import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { Campaign } from "../../../api/api.gen.ts";
import { useSharedDraft, type UsedDraft } from "../../../autosave/use-shared-draft.ts";
import { useTexts } from "../../../texts/texts.tsx";
import type { Draft } from "./draft-fields.ts";
import { isStillScheduled, loadDraft, loadHead, saveDraft } from "./draft.ts";

export type CampaignDraft = UsedDraft<Draft>;

/** A campaign that is being written. It is saved automatically. */
export function useDraft(id: string, mayEdit: boolean): CampaignDraft {
  const queries = useQueryClient();
  const { sending } = useTexts();
  const campaignKey = ["campaign", id];
  return useSharedDraft<Draft>({
    name: `campaign.${id}`,
    key: [...campaignKey, "draft"],
    shownIn: "campaigns",
    alsoShownIn: campaignKey,
    mayEdit,
    load: (signal) => loadDraft(id, signal),
    loadFor: ({ body }) => (body === undefined ? loadHead(id) : loadDraft(id)),
    async save(changes) {
      const isScheduled = queries.getQueryData<Campaign>(campaignKey)?.status === "SCHEDULED";
      const saved = await saveDraft(id, changes);
      // The server cancels the schedule of a campaign that loses its list, or its segment if it has no list.
      if (isScheduled && ("listId" in changes || "segmentId" in changes) && !(await isStillScheduled(id)))
        notifications.show({ color: "yellow", autoClose: false, message: sending.noLongerScheduled });
      return saved;
    },
  });
}
