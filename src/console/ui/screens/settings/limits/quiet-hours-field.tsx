import { Group, Switch, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useChangeSettings, useSettings } from "../../../api/settings.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaved } from "../parts/saved.tsx";

/** The first values: the night. */
const NIGHT = { from: "22:00", to: "07:00" };

type Hours = typeof NIGHT;

const written = ({ from, to }: Hours): string => `${from}-${to}`;

function read(stored: string | null): Hours | null {
  const [from, to] = stored?.split("-").map((time) => time.trim()) ?? [];
  return from && to ? { from, to } : null;
}

/** The hours without mail: on or off, and from when to when. */
export function QuietHoursField() {
  const { settings: texts } = useTexts();
  const { may } = useSession();
  const stored = useSettings().data?.quietHours ?? null;
  const { save, error } = useSaving();
  const isOff = !may("owner");
  return (
    <div className="quiet-hours">
      <Switch
        label={texts.fields.quietHours.label}
        description={texts.fields.quietHours.says}
        disabled={isOff}
        checked={stored !== null}
        onChange={(event) => save(event.currentTarget.checked ? written(NIGHT) : null)}
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
  save(hours: string): void;
};

function Times({ stored, isOff, error, save }: TimesProps) {
  const { quietFrom, quietTo } = useTexts().settings;
  const [typed, setTyped] = useState(read(stored) ?? NIGHT);
  useEffect(() => setTyped(read(stored) ?? NIGHT), [stored]);
  // A time that is typed only in part is "": then it stays unchanged.
  const leave = (): void => {
    if (typed.from === "" || typed.to === "") setTyped(read(stored) ?? NIGHT);
    else if (written(typed) !== stored) save(written(typed));
  };
  const field = (name: keyof Hours) => ({
    type: "time",
    value: typed[name],
    disabled: isOff,
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
    onBlur: leave,
  });
  return (
    <Group gap="sm" align="start">
      <TextInput label={quietFrom} {...field("from")} error={error} />
      <TextInput label={quietTo} {...field("to")} />
    </Group>
  );
}

function useSaving() {
  const { mutate, error } = useChangeSettings(useSaved());
  return {
    error: error?.message ?? null,
    save: (quietHours: string | null): void => mutate({ quietHours }),
  };
}
