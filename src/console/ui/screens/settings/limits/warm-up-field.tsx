import { NumberInput, Switch, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useChangeSettings, useSettings } from "../../../api/settings.ts";
import { useFormat } from "../../../frame/format.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaved } from "../parts/saved.tsx";
import { lastDay, readWarmUp, WARM_UP_RANGES, writtenWarmUp, type WarmUp } from "./warm-up.ts";

/** What it begins with, from today on: what most providers advise. */
const usual = (): WarmUp => ({ start: 200, growth: 30, days: 21, from: new Date().toLocaleDateString("sv") });

/** The days in which a new sender sends little: on or off, and how it grows. */
export function WarmUpField() {
  const { settings: texts } = useTexts();
  const stored = useSettings().data?.warmUp ?? null;
  const { save, error } = useSaving();
  const isOff = !useSession().may("owner");
  const warmUp = readWarmUp(stored);
  return (
    <div className="warm-up">
      <Switch
        label={texts.fields.warmUp.label}
        description={texts.fields.warmUp.says}
        disabled={isOff}
        checked={stored !== null}
        onChange={(event) => save(event.currentTarget.checked ? writtenWarmUp(usual()) : null)}
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
  save(warmUp: string | null): void;
};

function Days({ stored, isOff, error, save }: DaysProps) {
  const { settings: texts } = useTexts();
  const { number } = useFormat();
  const was = writtenWarmUp(stored);
  const [typed, setTyped] = useState(stored);
  useEffect(() => setTyped(stored), [was]);
  const last = lastDay(typed);
  // What is half typed is none: then it stays as it was.
  const leave = (): void => {
    const next = writtenWarmUp(typed);
    if (next === null) setTyped(stored);
    else if (next !== was) save(next);
  };
  const field = (name: keyof typeof WARM_UP_RANGES) => ({
    label: texts.warmUpFields[name],
    min: WARM_UP_RANGES[name][0],
    max: WARM_UP_RANGES[name][1],
    allowDecimal: false,
    disabled: isOff,
    value: typed[name],
    onBlur: leave,
    onChange: (value: string | number) => setTyped({ ...typed, [name]: value === "" ? "" : Number(value) }),
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
          value={typed.from}
          onBlur={leave}
          onChange={(event) => setTyped({ ...typed, from: event.currentTarget.value })}
        />
      </div>
      {last !== null && (
        <p className="settings-rows-says">{texts.warmUpSays(number(Number(typed.start)), number(last))}</p>
      )}
    </>
  );
}

function useSaving() {
  const { mutate, error } = useChangeSettings(useSaved());
  return {
    error: error?.message ?? null,
    save: (warmUp: string | null): void => mutate({ warmUp }),
  };
}
