import { Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Campaign, CampaignCheck } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { useSettings } from "../../../api/settings.ts";
import { useLocale } from "../../../frame/format.ts";
import { useSession } from "../../../frame/session/session.tsx";
import type { Person } from "../../../letter-editor/preview/contact-picker.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { StatusWord } from "../../../parts/status-word.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { CampaignMenu } from "../campaign-menu.tsx";
import type { Draft } from "../draft/draft-fields.ts";
import { useLists, useSegments } from "../queries.ts";
import { readinessOf } from "./readiness.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { SendActions } from "./send-actions.tsx";
import { SendDialog, showAnew } from "./send-dialog.tsx";
import { TestDialog } from "./test-dialog.tsx";

type Props = {
  readonly campaign: Campaign;
  readonly draft: Draft;
  readonly check: CampaignCheck | undefined;
  readonly person: Person | null;
  readonly isUnsaved: boolean;
  /**
   * A campaign goes out as the server has it: this saves what is not saved yet, and looks whether somebody
   * else has changed something. Throws the reason if it cannot be saved.
   */
  readonly isAsShown: () => Promise<boolean>;
};

type Dialog = "test" | "schedule" | "send" | null;

/** Test, schedule, send. A button that cannot be used now is off, with the reason under it. */
export function SendBar(props: Props) {
  const { sending, campaigns, fromServer } = useTexts();
  const { campaign, draft } = props;
  const isAsShown = useLook(props);
  const [dialog, setDialog] = useState<Dialog>(null);
  const settings = useSettings().data;
  const zone = settings?.timezone ?? "UTC";
  const list = useLists(draft).data?.find(({ id }) => id === draft.listId);
  if (!useSession().may("editor"))
    return <StatusWord tone="quiet">{campaigns.states[campaign.status]}</StatusWord>;
  const isEmptyList = list?.contactCount === 0;
  const { why, isOff, recipients } = readinessOf({ ...props, settings, isEmptyList }, sending);
  const isScheduled = campaign.status === "SCHEDULED";
  const isUnfinished = lacksWords(draft);
  const open = async (next: Dialog): Promise<void> => {
    if (await isAsShown()) setDialog(next);
    else showAnew(shared.onClose, sending.otherLetter);
  };
  const shared = { id: campaign.id, zone, onClose: () => setDialog(null), isAsShown };
  return (
    <div className="send-bar">
      <Group gap="xs" justify="flex-end">
        <CampaignMenu campaign={campaign} />
        <Button variant="default" disabled={isUnfinished} onClick={() => void open("test").catch(sayRefusal)}>
          {sending.test}
        </Button>
        <SendActions
          isScheduled={isScheduled}
          recipients={recipients}
          canSchedule={!isUnfinished && (draft.listId !== null || draft.segmentId !== null)}
          canSend={!isOff}
          describedBy={why === null ? undefined : "send-why"}
          onSchedule={() => void open("schedule").catch(sayRefusal)}
          onSend={() => setDialog("send")}
        />
      </Group>
      {isScheduled && <Scheduled campaign={campaign} zone={zone} />}
      {why && (
        <p id="send-why" className="send-why">
          {fromServer(why)}
        </p>
      )}
      <TestDialog
        id={campaign.id}
        person={props.person}
        opened={dialog === "test"}
        onClose={shared.onClose}
      />
      <ScheduleDialog {...shared} quietHours={settings?.quietHours ?? null} opened={dialog === "schedule"} />
      <SendDialog
        {...shared}
        recipients={recipients}
        audience={useAudience(draft)}
        opened={dialog === "send"}
      />
    </div>
  );
}

/** Looks whether the campaign is as it is shown. If not, the preview and the check are asked for anew, too. */
function useLook({ campaign, isAsShown }: Pick<Props, "campaign" | "isAsShown">): () => Promise<boolean> {
  const queries = useQueryClient();
  return async () => {
    const isSame = await isAsShown();
    if (!isSame) void queries.invalidateQueries({ queryKey: ["campaign", campaign.id] });
    return isSame;
  };
}

/** An emptied field is not saved: the server still has the old text, and would send that. */
const lacksWords = ({ subject, body }: Draft): boolean => subject.trim() === "" || body.trim() === "";

/** Who gets it, in words. */
function useAudience(draft: Draft): string {
  const { sending } = useTexts();
  const { listId, segmentId, excludeListIds, excludeSegmentIds } = draft;
  const [lists = [], segments = []] = [useLists(draft).data, useSegments().data];
  const list = lists.find(({ id }) => id === listId)?.name;
  const segment = segments.find(({ id }) => id === segmentId)?.name;
  const audience = [list, segment].filter((name) => name !== undefined).join(" + ");
  const others = [
    ...lists.filter(({ id }) => excludeListIds.includes(id)),
    ...segments.filter(({ id }) => excludeSegmentIds.includes(id)),
  ];
  if (others.length === 0) return audience;
  return sending.sendBut(audience, others.map(({ name }) => name).join(", "));
}

function Scheduled({ campaign, zone }: { readonly campaign: Campaign; readonly zone: string }) {
  const { sending } = useTexts();
  const queries = useQueryClient();
  const { id, scheduledAt } = campaign;
  const cancel = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/campaigns/{id}/schedule", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["campaign", id] }),
  });
  const format = new Intl.DateTimeFormat(useLocale(), {
    dateStyle: "full",
    timeStyle: "short",
    timeZone: zone,
  });
  return (
    <div className="send-scheduled">
      <StatusWord tone="busy">
        {sending.scheduled(scheduledAt === null ? "" : format.format(new Date(scheduledAt)), zone)}
      </StatusWord>
      <Button size="compact-sm" variant="subtle" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {sending.unschedule}
      </Button>
      {cancel.error && <LoadError error={cancel.error} />}
    </div>
  );
}
