/** What a row says of when somebody agreed, and from where. */
import { isIpAddress } from "#core/addresses/ip-address.ts";
import type { Instant } from "#core/time/clock.ts";
import { parseDateTime } from "#core/time/date-time.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { ImportColumns } from "./columns.ts";
import type { ConsentField } from "./field.ts";

export type ConsentCells = {
  /** Null: nobody knows. */
  readonly consentAt: Instant | null;
  readonly consentIp: string | null;
  /** What was left out. */
  readonly warning: string | null;
};

export const NO_CONSENT: ConsentCells = { consentAt: null, consentIp: null, warning: null };

/** Makes the reader of these cells. What was confirmed proves more than a sign-up, so it counts where it is filled. */
export function consentReader({ fields }: Pick<ImportColumns, "fields">, now: Instant) {
  const placeOf = (kind: ConsentField): number => fields.findIndex((field) => field?.kind === kind);
  const times = [placeOf("confirmedAt"), placeOf("consentAt")];
  const addresses = [placeOf("confirmedIp"), placeOf("consentIp")];

  return (cell: (place: number) => string): Result<ConsentCells> => {
    const filled = (places: readonly number[]): string =>
      places.map((place) => cell(place).trim()).find((text) => text !== "") ?? "";
    const at = parseConsentAt(filled(times), now);
    if (!at.ok) return at;
    const address = filled(addresses);
    const isAddress = address === "" || isIpAddress(address);
    return accept({
      consentAt: at.value,
      consentIp: at.value !== null && isAddress ? address || null : null,
      warning: isAddress
        ? null
        : `imported without ${quoted(address)}, from where they agreed: it is no IP address`,
    });
  };
}

const DATE = /^\d{4}-\d\d-\d\d$/;
/** `2024-03-14 09:12:31`, also with `PM`; Go and Ruby write `+0000 UTC` behind it. A name of a zone says too little alone. */
const SPACED =
  /^(\d{4}-\d\d-\d\d) (\d\d)(:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?([AP])M)?(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d(?: [A-Z]{1,5})?))?$/i;

/** An ISO date or date-time, in UTC unless it says otherwise. Empty: nobody knows. */
function parseConsentAt(text: string, now: Instant): Result<Instant | null> {
  if (text === "") return accept(null);
  const at = parseDateTime(DATE.test(text) ? `${text}T00:00Z` : writtenAsIso(text));
  if (at === null)
    return invalid(
      `the time of consent ${quoted(text)} is no date such as 2026-11-21 or 2026-11-21T09:30:00Z`,
    );
  if (at > now + DAY_MS) return invalid(`the time of consent ${quoted(text)} lies in the future`);
  return accept(at);
}

function writtenAsIso(text: string): string {
  const [, date, hour = "", rest = "", half, zone = "Z"] = SPACED.exec(text) ?? [];
  if (date === undefined) return text;
  const offset = /^[+-]\d\d:?\d\d/.exec(zone)?.[0] ?? "Z";
  return `${date}T${hourOf(hour, half)}${rest}${offset}`;
}

/** The hour of the day. With AM or PM there is none but 1 to 12: another one makes no date. */
function hourOf(hour: string, half: string | undefined): string {
  if (half === undefined) return hour;
  const number = Number(hour);
  if (number < 1 || number > 12) return "no hour";
  return String((number % 12) + (half.toUpperCase() === "P" ? 12 : 0)).padStart(2, "0");
}
