import { useMemo } from "react";
import type { Quantity } from "../texts/counted.ts";
import { useLanguage } from "../texts/texts.tsx";
import { localeOf } from "./locale.ts";

const MINUTE_MS = 60_000;
const STEPS = [
  [MINUTE_MS, "second", 1_000],
  [60 * MINUTE_MS, "minute", MINUTE_MS],
  [24 * 60 * MINUTE_MS, "hour", 60 * MINUTE_MS],
  [30 * 24 * 60 * MINUTE_MS, "day", 24 * 60 * MINUTE_MS],
  [365 * 24 * 60 * MINUTE_MS, "month", 30 * 24 * 60 * MINUTE_MS],
  [Number.POSITIVE_INFINITY, "year", 365 * 24 * 60 * MINUTE_MS],
] as const;

/**
 * Numbers and times in the format of the person's language.
 * @param zone whose clock the times are shown in; left out: the person's own
 */
export function useFormat(zone?: string) {
  const locale = useLocale();
  return useMemo(() => formatsOf(locale, zone), [locale, zone]);
}

export const useLocale = (): string => localeOf(useLanguage(), navigator.languages);

function formatsOf(locale: string, timeZone: string | undefined) {
  const numbers = new Intl.NumberFormat(locale);
  const shares = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone });
  const monthDays = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const lists = new Intl.ListFormat(locale);
  return {
    number: (value: number) => numbers.format(value),
    quantity: (value: number): Quantity => ({ value, shown: numbers.format(value) }),
    /** A fraction of 1 as a percentage. */
    share: (value: number) => shares.format(value),
    date: (at: string | Date) => days.format(new Date(at)),
    /** Without the year. */
    day: (at: string | Date) => monthDays.format(new Date(at)),
    dateTime: (at: string | Date) => moments.format(new Date(at)),
    time: (at: string | Date) => clock.format(new Date(at)),
    list: (names: readonly string[]) => lists.format(names),
    relative(at: string | Date, now: number): string {
      const ms = new Date(at).getTime() - now;
      const [, unit, size] = STEPS.find(([below]) => Math.abs(ms) < below) ?? STEPS[5];
      return relative.format(unit === "second" ? 0 : Math.round(ms / size), unit);
    },
  };
}
