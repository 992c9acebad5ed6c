import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { NewEventBody } from "./schema.ts";

const CENTS_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const SHORTEST_DECIMAL = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[+-]\d+))?$/;
const EXACT_BELOW = 1e12;
const CURRENCY = /^[A-Za-z]{3}$/;

/** An amount as stored. Both are null if there is none. */
export type Money = { readonly valueCents: number | null; readonly currency: string | null };

/**
 * Reads `valueCents`, `value` and `currency` of POST /events (docs/contract.md "Events"; docs/decisions.md
 * "Events"). If `valueCents` is given, `value` is ignored. Negative amounts are refunds. A currency that is
 * not three ASCII letters is ignored.
 */
export function parseMoney(body: Pick<NewEventBody, "valueCents" | "value" | "currency">): Result<Money> {
  const cents = parseCents(body.valueCents ?? null, body.value ?? null);
  if (!cents.ok) return cents;
  const { currency } = body;
  const isCurrency = typeof currency === "string" && CURRENCY.test(currency);
  return accept({ valueCents: cents.value, currency: isCurrency ? currency.toUpperCase() : null });
}

function parseCents(valueCents: unknown, value: unknown): Result<number | null> {
  if (valueCents === null) return value === null ? accept(null) : parseMajorUnits(value);
  if (!Number.isSafeInteger(valueCents))
    return invalid(
      "`valueCents` must be a whole number of minor units between -(2^53 - 1) and 2^53 - 1, like 1999.",
    );
  return accept((valueCents as number) + 0);
}

function parseMajorUnits(value: unknown): Result<number> {
  const cents = typeof value === "number" ? centsOf(value) : null;
  return cents === null
    ? invalid("`value` must be a number of major units, like 19.99, that gives at most 2^53 - 1 minor units.")
    : accept(cents);
}

/**
 * `value` × 100, rounded half away from zero on the shortest decimal form of the number: 1.005 gives 101,
 * although the binary number is a little less. Null if the number is not finite or the result is beyond
 * ±(2^53 − 1).
 */
export function centsOf(value: number): number | null {
  const rounded = Math.round(value * 100);
  // A number with at most two decimals, as most amounts are. Below this limit no two such amounts are the
  // same number.
  if (Math.abs(value) < EXACT_BELOW && rounded / 100 === value) return rounded + 0;
  const parts = SHORTEST_DECIMAL.exec(String(value))?.groups;
  if (!parts) return null;
  const fraction = parts.fraction ?? "";
  const digits = BigInt(`${parts.whole}${fraction}`);
  const cents = scaled(digits, Number(parts.exponent ?? 0) - fraction.length + 2);
  if (cents > CENTS_MAX) return null;
  return Number(parts.sign === "-" ? -cents : cents);
}

/** `digits` × 10^`exponent`, with a half rounded up. */
function scaled(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (digits * 2n + divisor) / (divisor * 2n);
}
