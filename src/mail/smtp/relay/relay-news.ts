import type { Instant } from "#core/time/clock.ts";
import type { RelayTrouble } from "./throttle.ts";

/**
 * Trouble that lasts is reported once more after this time, and then not again until it ends: the log must not
 * repeat itself.
 */
const STILL_AFTER_MS = 5 * 60_000;

/** A silent relay was not refused anything yet: its connections just do not answer (`silence.ts`). */
type NewsOf = RelayTrouble | "silent";

const WORDS: Readonly<Record<NewsOf, string>> = {
  rate: "slowing us down",
  config: "refusing our settings",
  block: "refusing us",
  down: "down",
  losing: "losing messages",
  silent: "silent",
};

/** The last news about a relay; null when there was none, or when it works again. */
export type LastNews = {
  readonly trouble: NewsOf;
  readonly since: Instant;
  readonly isRepeated: boolean;
} | null;

/**
 * `line` is for the log, if there is something new to report: one line per change, however many messages it
 * affected.
 */
export type News = { readonly last: LastNews; readonly line: string | null };

export function onTroubleSeen(last: LastNews, trouble: NewsOf, now: Instant): News {
  if (last?.trouble !== trouble)
    return { last: { trouble, since: now, isRepeated: false }, line: `relay ${WORDS[trouble]}` };
  if (last.isRepeated || now - last.since < STILL_AFTER_MS) return { last, line: null };
  const minutes = Math.floor((now - last.since) / 60_000);
  return {
    last: { ...last, isRepeated: true },
    line: `relay still ${WORDS[trouble]} after ${minutes} minutes`,
  };
}

export const onTroubleOver = (last: LastNews): News => ({
  last: null,
  line: last === null ? null : "relay up again",
});
