/** What dates cost. liquidjs counts nothing for their parts, but a format may have thousands of them. */
import type { Liquid } from "liquidjs";
import type { Spending } from "#mail/liquid/allowance.ts";
import { spendingOf } from "./fill-context.ts";
import { wrapFilters } from "./wrap-filter.ts";
import { liquidText } from "#mail/liquid/liquid-values.ts";

/** The names of the filters that write dates. */
export const DATE_FILTER = /^date(?:_|$)/;

/** As many names as a format that is left out has, and as the other filters of dates write. */
const OWN_FORMAT = "%A %B";

const STEPS_A_PART = 2;
/** A name of a month or day: the runtime makes a formatter for each of them, every time. */
const STEPS_A_NAME = 50;
/** A time zone takes two formatters, and what they write is read again. */
const STEPS_A_ZONE = 150;
/** Zeros are flags and widths. They stand in one class, or thousands of them would be tried in every split. */
const NAMED_PARTS = /%[-_^#:\d]*[EO]?[aAbBh]/g;

/** Makes an engine count the parts of dates. */
export function countDates(liquid: Liquid): void {
  wrapFilters(
    liquid,
    DATE_FILTER,
    (date, name) =>
      function (value: unknown, ...rest: unknown[]) {
        const [format, zone] = name === "date" ? rest : [];
        count(spendingOf(this.context), liquidText(format) || OWN_FORMAT, typeof zone === "string");
        return date.call(this, value, ...rest) as unknown;
      },
  );
}

function count(spending: Spending, format: string, isInZone: boolean): void {
  const [parts, names] = [format.split("%").length - 1, format.match(NAMED_PARTS)?.length ?? 0];
  spending.work(parts * STEPS_A_PART + names * STEPS_A_NAME + (isInZone ? STEPS_A_ZONE : 0));
}
