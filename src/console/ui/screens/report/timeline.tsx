import { Group, SegmentedControl, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useSettings } from "../../api/settings.ts";
import { useAddress } from "../../frame/use-address.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { useTimeline } from "./queries.ts";

const TimeChart = lazy(() => import("./time-chart.tsx"));

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When people opened it and clicked. */
export function Timeline({ id }: { readonly id: string }) {
  const { report } = useTexts();
  const [{ step: chosen }, setAddress] = useAddress({ step: "hour" });
  const step = chosen === "day" ? "day" : "hour";
  const timeline = useTimeline(id, step);
  const settings = useSettings();
  const zone = settings.data?.timezone;
  const isEmpty = timeline.data?.every(({ opened, clicked }) => opened + clicked === 0) ?? false;
  return (
    <section aria-labelledby="over-time">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="over-time">
          {report.overTime}
        </Title>
        {!isEmpty && (
          <SegmentedControl
            size="xs"
            aria-label={report.stepLabel}
            value={step}
            onChange={(next) => setAddress({ step: next })}
            data={(["hour", "day"] as const).map((value) => ({ value, label: report.steps[value] }))}
          />
        )}
      </Group>
      {timeline.error && <LoadError error={timeline.error} retry={() => void timeline.refetch()} />}
      {settings.error && <LoadError error={settings.error} retry={() => void settings.refetch()} />}
      {isEmpty && <Text c="dimmed">{report.noTime}</Text>}
      {timeline.data && zone !== undefined && !isEmpty && (
        <Suspense fallback={<Loading />}>
          <TimeChart steps={timeline.data} step={step} zone={zone} />
          {zone !== OWN_ZONE && <Text className="time-zone">{report.zone(zone)}</Text>}
        </Suspense>
      )}
    </section>
  );
}
