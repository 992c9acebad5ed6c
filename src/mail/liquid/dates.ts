/** What dates cost. liquidjs counts nothing for their parts, but a format may have thousands of them. */
import type { Liquid } from "liquidjs";
import type { Spending } from "./allowance.ts";
import { spendingOf } from "./fill-context.ts";
import { liquidText } from "./liquid-values.ts";

/** The names of the filters that write dates. */
export const DATE_FILTER = /^date(?:_|$)/;

/** As many names as a format that is left out has, and as the other filters of dates write. */
const OWN_FORMAT = "%A %B";

const STEPS_A_PART = 8;
/** A name of a month or day, and a time zone: the runtime makes a formatter for each of them, every time. */
const STEPS_A_FORMATTER = 150;
const NAMED_PARTS = /%[-_0^#:]*\d*[EO]?[aAbBh]/g;

/** Makes an engine count the parts of dates. */
export function countDates(liquid: Liquid): void {
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (!DATE_FILTER.test(name) || typeof filter !== "function") continue;
    liquid.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
      const [format, zone] = name === "date" ? rest : [];
      count(spendingOf(this.context), liquidText(format) || OWN_FORMAT, typeof zone === "string");
      return filter.call(this, value, ...rest) as unknown;
    });
  }
}

function count(spending: Spending, format: string, isInZone: boolean): void {
  const formatters = (format.match(NAMED_PARTS)?.length ?? 0) + (isInZone ? 1 : 0);
  spending.work((format.split("%").length - 1) * STEPS_A_PART + formatters * STEPS_A_FORMATTER);
}
