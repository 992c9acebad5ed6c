/** Time zones in which templates write dates: `{{ start | date: "%H:%M", "Europe/Berlin" }}`. */
import { ParseError, toValueSync, TypeGuards, Value, type Liquid, type Template } from "liquidjs";
import { quoted } from "#core/text/text.ts";
import { zoneName } from "#core/time/zone-name.ts";
import { wrapFilter } from "./wrap-filter.ts";

const FILTER = "date";
const ZONE = 1;

/**
 * Finds a zone that the template itself names and that does not exist: nobody would get the letter.
 * @throws ParseError with its place
 */
export function checkZones(templates: readonly Template[]): void {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? []) if (argument instanceof Value) checkValue(argument);
    const children = template.children?.(false, true);
    if (children !== undefined) checkZones(toValueSync<Template[]>(children));
  }
}

function checkValue({ filters }: Value): void {
  for (const { name, args } of filters) {
    const zone = name === FILTER ? args[ZONE] : undefined;
    if (zone === undefined || !TypeGuards.isQuotedToken(zone) || isZone(zone.content)) continue;
    throw new ParseError(new Error(`${quoted(zone.content)} is no time zone, such as Europe/Berlin`), zone);
  }
}

/** Names that were found to be zones, in lower case. The runtime takes long for each, and a template may name thousands. */
const known = new Set<string>();

/** An offset such as `+02:00` counts as one without a look. */
function isZone(name: string): boolean {
  const lower = name.toLowerCase();
  if (known.has(lower) || !/^[a-z]/.test(lower)) return true;
  if (zoneName(name) === undefined) return false;
  known.add(lower);
  return true;
}

/**
 * A zone may also be a value, and a value never costs somebody their letter: an empty one is none, and in one that does
 * not exist the date stays as it was written.
 */
export function passUnknownZones(liquid: Liquid): void {
  wrapFilter(
    liquid,
    FILTER,
    (date) =>
      function (value: unknown, format: unknown, zone: unknown) {
        try {
          return date.call(this, value, format, zone === "" ? undefined : zone) as unknown;
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          return value instanceof Date ? value.toISOString() : value;
        }
      },
  );
}
