/** What a row says of when somebody agreed, and from where. */
import { isIpAddress } from "#core/addresses/ip-address.ts";
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { ImportColumns } from "./columns.ts";
import type { ConsentField } from "./field.ts";
import { orderIn } from "./column-type.ts";
import { parseWrittenMoment, type DateOrder } from "./written-date.ts";

export type ConsentCells = {
  /** Null: nobody knows. */
  readonly consentAt: Instant | null;
  readonly consentIp: string | null;
  /** What was left out. */
  readonly warning: string | null;
};

export const NO_CONSENT: ConsentCells = { consentAt: null, consentIp: null, warning: null };

/** Makes the reader of these cells. What was confirmed proves more than a sign-up, so it counts where it is filled. */
export function consentReader(
  { headers, fields, types }: Pick<ImportColumns, "headers" | "fields" | "types">,
  now: Instant,
) {
  const placeOf = (kind: ConsentField): number => fields.findIndex((field) => field?.kind === kind);
  const times = [placeOf("confirmedAt"), placeOf("consentAt")];
  const addresses = [placeOf("confirmedIp"), placeOf("consentIp")];

  return (cell: (place: number) => string): Result<ConsentCells> => {
    const filled = (places: readonly number[]): number =>
      places.find((place) => cell(place).trim() !== "") ?? -1;
    const timePlace = filled(times);
    const at = parseConsentAt(cell(timePlace).trim(), orderIn(types, headers[timePlace] ?? ""), now);
    if (!at.ok) return at;
    const address = cell(filled(addresses)).trim();
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

/** A date, with or without a time, in UTC unless it says otherwise. Empty: nobody knows. */
function parseConsentAt(text: string, order: DateOrder, now: Instant): Result<Instant | null> {
  if (text === "") return accept(null);
  const at = parseWrittenMoment(text, order);
  if (at === null)
    return invalid(
      `the time of consent ${quoted(text)} is no date such as 2026-11-21 or 2026-11-21T09:30:00Z; another order of day and month is named (\`types\`, --type)`,
    );
  if (at > now + DAY_MS) return invalid(`the time of consent ${quoted(text)} lies in the future`);
  return accept(at);
}
