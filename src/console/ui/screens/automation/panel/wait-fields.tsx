import { Group, SegmentedControl, Select } from "@mantine/core";
import { MomentInZone } from "../../../parts/moment-picker.tsx";
import { NumberText } from "../../../parts/typed/number-text.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useEditor } from "../editor.tsx";
import type { FieldsProps } from "./fields-props.ts";
import { textOf } from "./use-data.ts";

/** A span of time, or a moment. */
export function WaitFields(props: FieldsProps) {
  const { panel } = useTexts().automations;
  const { data, write, isDisabled } = props;
  const isMoment = typeof data["until"] === "string";
  const choose = (kind: string) =>
    kind === "moment"
      ? write({ until: tomorrow(), amount: undefined, unit: undefined })
      : write({ until: undefined, amount: 1, unit: "days" });
  return (
    <>
      <SegmentedControl
        aria-label={panel.waitKind}
        data={[
          { value: "span", label: panel.waitSpan },
          { value: "moment", label: panel.waitMoment },
        ]}
        disabled={isDisabled}
        value={isMoment ? "moment" : "span"}
        onChange={choose}
      />
      {isMoment ? <Moment {...props} /> : <Span {...props} />}
    </>
  );
}

const DAY_MS = 86_400_000;
const tomorrow = (): string => new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2).toISOString();

function Span({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  const amount = typeof data["amount"] === "number" ? data["amount"] : null;
  const units = Object.entries(panel.units).map(([value, label]) => ({ value, label }));
  return (
    <Group grow align="flex-start">
      <NumberText
        label={panel.amount}
        disabled={isDisabled}
        value={amount}
        onChange={(typed) => write({ amount: typed ?? undefined })}
      />
      <Select
        label={panel.unit}
        data={units}
        allowDeselect={false}
        disabled={isDisabled}
        value={textOf(data, "unit")}
        onChange={(unit) => write({ unit })}
      />
    </Group>
  );
}

function Moment({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  const { zone } = useEditor();
  return (
    <MomentInZone
      zone={zone}
      label={panel.until}
      disabled={isDisabled}
      at={textOf(data, "until")}
      onChange={(until) => until !== null && write({ until })}
    />
  );
}
