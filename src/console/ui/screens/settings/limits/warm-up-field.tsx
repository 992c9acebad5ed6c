import { NumberInput, Switch, TextInput } from "@mantine/core";
import type { Settings } from "../../../api/api.gen.ts";
import { SETTINGS, useSettings } from "../../../api/settings.ts";
import { useTypedField } from "../../../autosave/use-typed-field.ts";
import { useFormat } from "../../../frame/format.ts";
import { wallOf } from "../../../frame/zone-time.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { Meanwhile } from "../../../parts/saving/meanwhile.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaving } from "../parts/use-saving.ts";
import { lastDay, readWarmUp, WARM_UP_RANGES, writtenWarmUp, type WarmUp } from "./warm-up.ts";

/**
 * What it begins with: what most providers advise, from today on. That is the workspace's day: with that of a browser
 * further east it began tomorrow, and as many as somebody likes went out today.
 */
const usual = (zone: string): WarmUp => ({
  start: 200,
  growth: 30,
  days: 21,
  from: wallOf(new Date(), zone).slice(0, 10),
});

/** The days in which a new sender sends little: on or off, and how it grows. */
export function WarmUpField() {
  const { settings: texts } = useTexts();
  const { warmUp: stored = null, timezone = "UTC" } = useSettings().data ?? {};
  const { save, set, error } = useSaving();
  const isOff = !useSession().may("owner");
  const warmUp = readWarmUp(stored);
  return (
    <div className="warm-up">
      <Switch
        label={texts.fields.warmUp.label}
        description={texts.fields.warmUp.says}
        disabled={isOff}
        checked={stored !== null}
        onChange={(event) =>
          set({ warmUp: event.currentTarget.checked ? writtenWarmUp(usual(timezone)) : null })
        }
        error={warmUp === null ? error : null}
      />
      {warmUp !== null && <Days stored={warmUp} isOff={isOff} save={save} error={error} />}
    </div>
  );
}

type DaysProps = {
  readonly stored: WarmUp;
  readonly isOff: boolean;
  readonly error: string | null;
  save: ReturnType<typeof useSaving>["save"];
};

function Days({ stored, isOff, error, save }: DaysProps) {
  const { settings: texts } = useTexts();
  const { number } = useFormat();
  // What is half typed is none: then it stays as it was.
  const typed = useTypedField<WarmUp, Settings>(
    {
      name: isOff ? null : "settings.warmUp",
      stored,
      written: writtenWarmUp,
      save: async (warmUp) => readWarmUp((await save({ warmUp: writtenWarmUp(warmUp) })).warmUp) ?? warmUp,
    },
    { queryKey: SETTINGS, storedIn: (settings) => readWarmUp(settings.warmUp) ?? stored },
  );
  const { shown, type, leave } = typed;
  const last = lastDay(shown);
  const field = (name: keyof typeof WARM_UP_RANGES) => ({
    label: texts.warmUpFields[name],
    min: WARM_UP_RANGES[name][0],
    max: WARM_UP_RANGES[name][1],
    allowDecimal: false,
    disabled: isOff,
    value: shown[name],
    onBlur: leave,
    onChange: (value: string | number) => type({ ...shown, [name]: value === "" ? "" : Number(value) }),
  });
  return (
    <>
      <div className="settings-row">
        <NumberInput {...field("start")} thousandSeparator=" " error={error} />
        <NumberInput {...field("growth")} suffix=" %" />
        <NumberInput {...field("days")} />
        <TextInput
          type="date"
          label={texts.warmUpFields.from}
          disabled={isOff}
          value={shown.from}
          onBlur={leave}
          onChange={(event) => type({ ...shown, from: event.currentTarget.value })}
        />
      </div>
      <Meanwhile of={typed} />
      {last !== null && (
        <p className="settings-rows-says">{texts.warmUpSays(number(Number(shown.start)), number(last))}</p>
      )}
    </>
  );
}
