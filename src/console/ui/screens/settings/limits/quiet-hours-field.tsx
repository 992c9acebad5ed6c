import { Group, Switch, TextInput } from "@mantine/core";
import type { Settings } from "../../../api/api.gen.ts";
import { SETTINGS, useSettings } from "../../../api/settings.ts";
import { useTypedField } from "../../../autosave/use-typed-field.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { Meanwhile } from "../../../parts/saving/meanwhile.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaving } from "../parts/use-saving.ts";

/** The first values: the night. */
const NIGHT = { from: "22:00", to: "07:00" };

type Hours = typeof NIGHT;

const written = ({ from, to }: Hours): string => `${from}-${to}`;

/** A time that is typed only in part is "": then it stays unchanged. */
const writtenIfWhole = (hours: Hours): string | null =>
  hours.from === "" || hours.to === "" ? null : written(hours);

function read(stored: string | null): Hours | null {
  const [from, to] = stored?.split("-").map((time) => time.trim()) ?? [];
  return from && to ? { from, to } : null;
}

/** The hours without mail: on or off, and from when to when. */
export function QuietHoursField() {
  const { settings: texts } = useTexts();
  const { may } = useSession();
  const stored = useSettings().data?.quietHours ?? null;
  const { save, set, error } = useSaving();
  const isOff = !may("owner");
  return (
    <div className="quiet-hours">
      <Switch
        label={texts.fields.quietHours.label}
        description={texts.fields.quietHours.says}
        disabled={isOff}
        checked={stored !== null}
        onChange={(event) => set({ quietHours: event.currentTarget.checked ? written(NIGHT) : null })}
        error={stored === null ? error : null}
      />
      {stored !== null && <Times stored={stored} isOff={isOff} save={save} error={error} />}
    </div>
  );
}

type TimesProps = {
  readonly stored: string;
  readonly isOff: boolean;
  readonly error: string | null;
  save: ReturnType<typeof useSaving>["save"];
};

function Times({ stored, isOff, error, save }: TimesProps) {
  const { quietFrom, quietTo } = useTexts().settings;
  const typed = useTypedField<Hours, Settings>(
    {
      name: isOff ? null : "settings.quietHours",
      stored: read(stored) ?? NIGHT,
      written: writtenIfWhole,
      save: async (hours) => read((await save({ quietHours: written(hours) })).quietHours) ?? NIGHT,
    },
    { queryKey: SETTINGS, storedIn: ({ quietHours }) => read(quietHours) ?? NIGHT },
  );
  const { shown, type, leave } = typed;
  const field = (name: keyof Hours) => ({
    type: "time",
    value: shown[name],
    disabled: isOff,
    onChange: (event: { currentTarget: { value: string } }) =>
      type({ ...shown, [name]: event.currentTarget.value }),
    onBlur: leave,
  });
  return (
    <>
      <Group gap="sm" align="start">
        <TextInput label={quietFrom} {...field("from")} error={error} />
        <TextInput label={quietTo} {...field("to")} />
      </Group>
      <Meanwhile of={typed} />
    </>
  );
}
