import { DateTimePicker, type DateTimePickerProps } from "@mantine/dates";
import german from "dayjs/locale/de";
import { useId } from "react";
import { useLocale } from "../frame/format.ts";
import { useLanguage, useTexts } from "../texts/texts.tsx";
import { instantOf, wallOf } from "../frame/zone-time.ts";
import { momentFormat } from "./moment-format.ts";

/** The calendar's words; English is built in. */
const LOCALES = { en: "en", de: german.name } as const;

/** Where there is room neither below nor above the field, the calendar covers it: the page behind a dialog does not scroll. */
const STAYS_ON_SCREEN = {
  flip: true,
  shift: { crossAxis: true, limiter: { fn: ({ x, y }: Readonly<Record<"x" | "y", number>>) => ({ x, y }) } },
};

/** Asks for a day and a time, with a calendar in the person's language and their country's format. */
export function MomentPicker(props: Omit<DateTimePickerProps, "ref">) {
  const { calendar } = useTexts().frame;
  const { hours, minutes, done, ...labels } = calendar;
  const { shown, clock, firstDayOfWeek } = momentFormat(useLocale());
  // The calendar is a dialog, which takes its name from the field with this id.
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <DateTimePicker
      locale={LOCALES[useLanguage()]}
      valueFormat={shown}
      firstDayOfWeek={firstDayOfWeek}
      // The library writes weekends in red, which means an error here.
      weekendDays={[]}
      hideOutsideDates
      ariaLabels={labels}
      timePickerProps={{ format: clock, hoursInputLabel: hours, minutesInputLabel: minutes }}
      submitButtonProps={{ "aria-label": done }}
      {...props}
      id={id}
      popoverProps={{ ...props.popoverProps, id, middlewares: STAYS_ON_SCREEN }}
    />
  );
}

type MomentInZoneProps = Omit<DateTimePickerProps, "ref" | "value" | "onChange" | "description"> & {
  readonly zone: string;
  /** In ISO 8601; null where there is none. */
  readonly at: string | null;
  readonly onChange: (at: string | null) => void;
};

/** The same for an instant, by the clock of the workspace: people of other countries work at the same things. */
export function MomentInZone({ zone, at, onChange, ...rest }: MomentInZoneProps) {
  const { sending } = useTexts();
  const isNone = at === null || Number.isNaN(Date.parse(at));
  return (
    <MomentPicker
      {...rest}
      description={sending.inZone(zone)}
      value={isNone ? null : `${wallOf(new Date(at), zone).replace("T", " ")}:00`}
      onChange={(wall) =>
        onChange(wall && (instantOf(wall.slice(0, 16).replace(" ", "T"), zone)?.toISOString() ?? null))
      }
    />
  );
}
