import { DateTimePicker, type DateTimePickerProps } from "@mantine/dates";
import german from "dayjs/locale/de";
import { useId } from "react";
import { useLocale } from "../frame/format.ts";
import { useLanguage, useTexts } from "../texts/texts.tsx";
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
