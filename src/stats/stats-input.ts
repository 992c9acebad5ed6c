import type { Instant } from "#core/time/clock.ts";
import { parseDateTime } from "#core/time/date-time.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { DAY_MS } from "#core/time/time.ts";
import { STEPS, type Range, type Step } from "./steps.ts";

type Sent = Readonly<Record<"from" | "to" | "step", string | undefined>>;

/** How far back a request without `from` reaches: a month of days, a day of hours. */
const REACH_MS: Readonly<Record<Step, number>> = { day: 30 * DAY_MS, hour: DAY_MS };

/** Times outside of this have no figures, and later years do not fit into the four digits of an ISO text. */
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 0, 1);

/**
 * The range and step of `GET /stats`. Left out or empty: `step` is `day`, `to` is now, `from` is 30 days before
 * `to`, or 24 hours where the step is an hour.
 */
export function parseStatsQuery(sent: Sent, now: Instant): Result<Range & { readonly step: Step }> {
  const step = STEPS.find((known) => known === (sent.step || "day"));
  if (step === undefined) return invalid("`step` has to be `hour` or `day`.");
  const to = timeOf(sent.to, now);
  if (to === null) return invalid(notATime("to"));
  const from = timeOf(sent.from, to - REACH_MS[step]);
  if (from === null) return invalid(notATime("from"));
  if (from >= to) return invalid("`from` has to be before `to`.");
  return accept({ from, to, step });
}

function timeOf(text: string | undefined, unsent: Instant): Instant | null {
  if (!text) return unsent;
  const at = parseDateTime(text);
  return at === null || at < EARLIEST || at > LATEST ? null : at;
}

const notATime = (name: string): string =>
  `\`${name}\` has to be an ISO 8601 date-time of the years 1970 to 9998, such as 2026-11-21T09:30:00Z.`;
