import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { useFormat, useLocale } from "../../../frame/format.ts";
import { useIsGone } from "../../../frame/still-here.ts";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useNow } from "../../../parts/relative-time.tsx";
import { momentFormat } from "../../../parts/moment-format.ts";
import { MomentPicker } from "../../../parts/moment-picker.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { showAnew } from "./send-dialog.tsx";
import { instantOf, isQuiet, wallOf } from "../../../frame/zone-time.ts";

type Props = {
  readonly id: string;
  readonly zone: string;
  readonly quietHours: string | null;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly isAsShown: () => Promise<boolean>;
};

/** Asks when it goes out, in the workspace's time zone. */
export function ScheduleDialog({ opened, onClose, ...rest }: Props) {
  const { sending } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={sending.scheduleTitle}>
      {opened && <ScheduleForm onClose={onClose} {...rest} />}
    </Modal>
  );
}

const HOUR_MS = 3_600_000;

type Outcome = "scheduled" | "otherLetter" | "closed";

function ScheduleForm({ id, zone, quietHours, onClose, isAsShown }: Omit<Props, "opened">) {
  const { sending } = useTexts();
  const { dateTime } = useFormat();
  const { shown } = momentFormat(useLocale());
  const queries = useQueryClient();
  const now = useNow();
  // Tomorrow at the next full hour.
  const [wall, setWall] = useState(
    () => `${wallOf(new Date(Date.now() + 25 * HOUR_MS), zone).slice(0, 13)}:00`,
  );
  const at = instantOf(wall, zone);
  const isSoon = at === null || at.getTime() <= Math.max(now, Date.now());
  const isElsewhere = at !== null && wallOf(at, Intl.DateTimeFormat().resolvedOptions().timeZone) !== wall;
  const isClosed = useIsGone();
  const schedule = useMutation({
    mutationFn: async (scheduledAt: string): Promise<Outcome> => {
      const isSame = await isAsShown();
      // Whoever closed the question while that took its time wants nothing scheduled.
      if (isClosed.current) return "closed";
      if (!isSame) return "otherLetter";
      await ok(
        api.POST("/api/v1/campaigns/{id}/schedule", { params: { path: { id } }, body: { scheduledAt } }),
      );
      return "scheduled";
    },
    onSuccess: (outcome) => {
      if (outcome === "closed") return;
      if (outcome === "otherLetter") return showAnew(onClose, sending.otherLetter);
      void queries.invalidateQueries({ queryKey: ["campaign", id] });
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (at !== null && !isSoon) schedule.mutate(at.toISOString());
      }}
    >
      <Stack>
        <MomentPicker
          data-autofocus
          label={sending.when}
          description={sending.inZone(zone)}
          value={`${wall.replace("T", " ")}:00`}
          onChange={(value) => value && setWall(value.slice(0, 16).replace(" ", "T"))}
          error={isSoon && sending.tooSoon}
        />
        {isElsewhere && <Text size="sm">{sending.isHere(dateTime(at))}</Text>}
        {quietHours !== null && (
          <Alert color={isQuiet(wall, quietHours) ? "yellow" : "gray"}>{sending.quiet(quietHours)}</Alert>
        )}
        {schedule.error && <LoadError error={schedule.error} />}
        <Button type="submit" disabled={isSoon} loading={schedule.isPending} className="dialog-action">
          {sending.scheduleFor(shown(`${wall}:00`))}
        </Button>
      </Stack>
    </form>
  );
}
