import { useMemo } from "react";
import { useLanguage } from "../texts/texts.tsx";

const MINUTE_MS = 60_000;
const STEPS = [
  [MINUTE_MS, "second", 1_000],
  [60 * MINUTE_MS, "minute", MINUTE_MS],
  [24 * 60 * MINUTE_MS, "hour", 60 * MINUTE_MS],
  [30 * 24 * 60 * MINUTE_MS, "day", 24 * 60 * MINUTE_MS],
  [365 * 24 * 60 * MINUTE_MS, "month", 30 * 24 * 60 * MINUTE_MS],
  [Number.POSITIVE_INFINITY, "year", 365 * 24 * 60 * MINUTE_MS],
] as const;

/** Numbers and times as the person's language writes them. */
export function useFormat() {
  const language = useLanguage();
  return useMemo(() => formatsOf(language), [language]);
}

function formatsOf(language: string) {
  const numbers = new Intl.NumberFormat(language);
  const shares = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  const monthDays = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  const moments = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const lists = new Intl.ListFormat(language);
  return {
    number: (value: number) => numbers.format(value),
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
