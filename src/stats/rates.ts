/**
 * How a workspace's mail was received lately. Mailbox providers look at the same two rates. Above their
 * limits they treat mail as spam, or refuse it.
 */
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { Counts } from "./figures.ts";

/** How many days are looked at. */
const RATES_DAYS = 7;
/** Figures are kept by quarters of an hour. */
const QUARTER_MS = 15 * 60_000;

/** The last days as `from` and `to` (exclusive): the quarter of an hour that has begun counts. */
export function ratesSpan(now: Instant): { readonly from: Instant; readonly to: Instant } {
  const to = now - (now % QUARTER_MS) + QUARTER_MS;
  return { from: to - QUARTER_MS - RATES_DAYS * DAY_MS, to };
}

/** Above these, something is wrong with the list, or with what it is sent. */
const BOUNCED_MAX = 0.05;
const COMPLAINED_MAX = 0.003;

/** Fewer messages prove nothing: one of three is 33 %. */
const BOUNCES_LEAST = 10;
const COMPLAINTS_LEAST = 3;

export type Rates = {
  /** Messages that the relay took or refused because of their address. */
  readonly messages: number;
  readonly bounced: number;
  /** Complaints about this workspace's mail. */
  readonly complained: number;
};

export const ratesOf = ({
  sent,
  bounced,
  complained,
  complainedElsewhere,
}: Pick<Counts, "sent" | "bounced" | "complained" | "complainedElsewhere">): Rates => ({
  messages: sent + bounced,
  bounced,
  complained: complained - complainedElsewhere,
});

/** Which rate is too high, as a sentence; null if none is. */
export function tooMuch({ messages, bounced, complained }: Rates): string | null {
  if (messages === 0) return null;
  if (messages === 1 && complained >= COMPLAINTS_LEAST)
    return `One message went out in the last ${RATES_DAYS} days, and ${complained} complaints came in: ${percent(complained)}, more than ${percent(COMPLAINED_MAX)}.`;
  if (complained >= COMPLAINTS_LEAST && complained / messages > COMPLAINED_MAX)
    return `Of the ${messages} messages of the last ${RATES_DAYS} days, ${complained} were complained about: ${percent(complained / messages)}, more than ${percent(COMPLAINED_MAX)}.`;
  if (bounced >= BOUNCES_LEAST && bounced / messages > BOUNCED_MAX)
    return `Of the ${messages} messages of the last ${RATES_DAYS} days, ${bounced} bounced: ${percent(bounced / messages)}, more than ${percent(BOUNCED_MAX)}.`;
  return null;
}

/** For people, with any rate: `Of 1200 messages …, 0.4% bounced and 0.1% were complained about.` */
export function ratesInWords({ messages, bounced, complained }: Rates): string {
  if (messages === 0) return `no message went out in the last ${RATES_DAYS} days`;
  if (messages === 1)
    return `one message went out in the last ${RATES_DAYS} days; bounces: ${bounced}, complaints: ${complained}`;
  return (
    `of the ${messages} messages of the last ${RATES_DAYS} days, ${percent(bounced / messages)} bounced ` +
    `and ${percent(complained / messages)} were complained about`
  );
}

const percentWith = (maximumFractionDigits: number) =>
  new Intl.NumberFormat("en", {
    style: "percent",
    maximumFractionDigits,
    roundingMode: "ceil",
    useGrouping: false,
  });

/** Made at the first use: an idle server does not need the runtime's language data. */
let formats: { readonly share: Intl.NumberFormat; readonly smallShare: Intl.NumberFormat } | null = null;

/** With one decimal, two below 1 %. Rounded up, so that what is above a limit never reads like the limit. */
function percent(rate: number): string {
  formats ??= { share: percentWith(1), smallShare: percentWith(2) };
  return (rate < 0.01 ? formats.smallShare : formats.share).format(rate);
}
