/** The format of a moment in the country of a locale. */
export type MomentFormat = {
  /** @param wall `2026-11-25 04:00:00`, in any time zone */
  readonly shown: (wall: string) => string;
  readonly clock: "12h" | "24h";
  /** 0 is Sunday. Monday if the browser does not know. */
  readonly firstDayOfWeek: 0 | 1 | 2 | 3 | 4 | 5 | 6;
};

export function momentFormat(locale: string): MomentFormat {
  // UTC skips no hour, so every time of every clock can be written.
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return {
    shown: (wall) => format.format(new Date(`${wall.replace(" ", "T")}Z`)),
    clock: format.resolvedOptions().hour12 === true ? "12h" : "24h",
    firstDayOfWeek: firstDayOf(locale),
  };
}

/** Not every browser knows it yet, nor does TypeScript. */
type WithWeek = { getWeekInfo?(): { readonly firstDay: number } };

function firstDayOf(locale: string): MomentFormat["firstDayOfWeek"] {
  const { firstDay = 1 } = (new Intl.Locale(locale) as WithWeek).getWeekInfo?.() ?? {};
  return (firstDay % 7) as MomentFormat["firstDayOfWeek"];
}
