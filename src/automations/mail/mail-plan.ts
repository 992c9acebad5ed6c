import { createHash } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import { contentUnder } from "#deliveries/mailing-content.ts";
import { localTime } from "#workspaces/local-time.ts";
import { quietUntil } from "#workspaces/quiet-hours.ts";
import { checkQuota } from "#workspaces/quota.ts";
import { marketingMissing } from "#workspaces/sender-missing.ts";
import type { Settings } from "#workspaces/settings/settings.ts";

/** The letter of one mail node before Liquid is filled in: the part that all its messages share. */
export type NodeLetter = {
  readonly nodeId: string;
  /** Identifies node and content; ASCII without spaces. */
  readonly key: string;
  readonly content: MailingContent;
};

/** The letter that a node sends under these settings. If the author wrote MJML, `html` is already compiled. */
export function nodeLetter(
  nodeId: string,
  mail: { subject: string; html: string },
  settings: Settings,
): NodeLetter {
  const content = contentUnder(settings, { ...mail, list: null });
  const digest = createHash("sha256")
    .update(JSON.stringify([nodeId, content]))
    .digest("hex");
  return { nodeId, key: digest.slice(0, 24), content };
}

/**
 * The mailing that a mail is counted in. There is one for each month, so that a reservation that is given back goes
 * to the right month.
 */
export function letterSource(automationId: string, { key }: NodeLetter, month: string): string {
  return `${automationId}:${key}:${month}`;
}

/**
 * Why a mail cannot go out now. `hold`: nothing is wrong, it is only too early. `retry`: somebody may remove the
 * cause. `full`: nothing is left of the monthly limit; that ends with the month, or when somebody raises it.
 */
export type MailGate =
  | { readonly kind: "open"; readonly month: string }
  | { readonly kind: "hold"; readonly until: Instant }
  | { readonly kind: "retry"; readonly problem: string }
  | { readonly kind: "full"; readonly problem: string };

/**
 * Whether an automation may plan a mail now (docs/decisions.md "Automations"). Quiet hours delay it, and it counts
 * for the monthly limit; the daily cap does not apply. `usedIn`: how many messages a month has so far.
 */
export function mailGate(settings: Settings, now: Instant, usedIn: (month: string) => number): MailGate {
  const missing = marketingMissing(settings.mailingAddress, settings.fromEmail);
  if (missing) return { kind: "retry", problem: missing.message };
  const { until, month } = localAt(settings, now);
  if (until !== null) return { kind: "hold", until };
  const limit = settings.monthlyLimit;
  const refusal =
    limit === null
      ? null
      : checkQuota({ period: "month", periodKey: month, wanted: 1, used: usedIn(month), limit });
  return refusal === null ? { kind: "open", month } : { kind: "full", problem: refusal.message };
}

type LocalView = { readonly now: Instant; readonly until: Instant | null; readonly month: string };

/**
 * The latest local time under these settings: many runs need it for the same instant, and computing a zone's
 * time is slow.
 */
const views = new WeakMap<Settings, LocalView>();

function localAt(settings: Settings, now: Instant): LocalView {
  const known = views.get(settings);
  if (known?.now === now) return known;
  const until = quietUntil(now, settings.quietHours, settings.timezone);
  const view = { now, until, month: localTime(now, settings.timezone).month };
  views.set(settings, view);
  return view;
}
