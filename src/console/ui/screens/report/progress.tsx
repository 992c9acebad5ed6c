import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CampaignReport } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { ConfirmByTyping } from "../../parts/confirm-by-typing.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Bar } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { durationOf } from "../campaign/sending/duration.ts";
import { paceOf, withSample, type Sample } from "./pace.ts";

type Props = { readonly id: string; readonly report: CampaignReport };

/** How far and how fast the send is, when it will end, and buttons to pause or stop it. */
export function Progress({ id, report }: Props) {
  const { report: texts, fromServer } = useTexts();
  const { quantity } = useFormat();
  const { planned, remaining, blocked } = report;
  const done = planned - remaining;
  const says = planned === 0 ? texts.planning : texts.progress(quantity(done), quantity(planned));
  return (
    <div className="report-progress">
      <Bar part={done} whole={planned} label={says} />
      <Group justify="space-between" mt="xs">
        <Text size="sm" role="status">
          <strong>{says}</strong>
          <Pace report={report} />
        </Text>
        <Controls id={id} report={report} />
      </Group>
      {blocked !== null && (
        <Alert color="yellow" mt="sm">
          {fromServer(blocked)}
        </Alert>
      )}
    </div>
  );
}

function Pace({ report }: Pick<Props, "report">) {
  const { report: texts, sending } = useTexts();
  const { quantity } = useFormat();
  const pace = usePace(report);
  if (report.remaining === 0 || report.blocked !== null) return null;
  return (
    <>
      {` · ${texts.left(quantity(report.remaining))}`}
      {pace !== null && ` · ${texts.rate(quantity(Math.max(1, Math.round(pace))))}`}
      {pace !== null && ` · ${texts.ends(durationOf(report.remaining / pace, { words: sending, quantity }))}`}
    </>
  );
}

function usePace(report: CampaignReport): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    const next = { atMs: Date.now(), done: report.planned - report.remaining };
    setSamples((before) => withSample(before, next));
  }, [report]);
  return paceOf(samples);
}

function Controls({ id, report }: Props) {
  const { report: texts } = useTexts();
  const { number, quantity } = useFormat();
  // How many were left when it was asked. That number changes every second, so nobody could type it.
  const [asked, setAsked] = useState<number | null>(null);
  const { may } = useSession();
  const { pause, resume, stop } = useControls(id);
  if (!may("editor")) return null;
  const error = pause.error ?? resume.error;
  const toStop = asked ?? report.remaining;
  return (
    <Group gap="xs">
      {report.paused === true ? (
        <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate()}>
          {texts.resume}
        </Button>
      ) : (
        <Button size="xs" variant="default" loading={pause.isPending} onClick={() => pause.mutate()}>
          {texts.pause}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setAsked(report.remaining)}>
        {texts.stop}
      </Button>
      {error && <LoadError error={error} />}
      <ConfirmByTyping
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={texts.stopTitle}
        answer={number(toStop)}
        action={texts.stopAction}
        isDangerous
        isBusy={stop.isPending}
        onConfirm={() => stop.mutate(undefined, { onSuccess: () => setAsked(null) })}
      >
        <Text>{texts.stopSays(quantity(toStop))}</Text>
        {stop.error && <LoadError error={stop.error} />}
      </ConfirmByTyping>
    </Group>
  );
}

function useControls(id: string) {
  const queries = useQueryClient();
  const path = { params: { path: { id } } };
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["campaign", id] });
  const pause = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/campaigns/{id}/pause", path)),
    onSuccess,
  });
  const resume = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/campaigns/{id}/resume", path)),
    onSuccess,
  });
  const stop = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/campaigns/{id}/stop", path)),
    onSuccess,
  });
  return { pause, resume, stop };
}
