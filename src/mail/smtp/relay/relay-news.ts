import type { Instant } from "#core/time/clock.ts";
import type { RelayTrouble } from "./throttle.ts";

/**
 * Trouble that lasts is reported once more after this time, and then not again until it ends: the log must not
 * repeat itself.
 */
const STILL_AFTER_MS = 5 * 60_000;

const WORDS: Readonly<Record<RelayTrouble, string>> = {
  rate: "slowing us down",
  config: "refusing our settings",
  block: "refusing us",
  down: "down",
  losing: "losing messages",
};

/** The last news about a relay; null when there was none, or when it works again. */
export type LastNews = {
  readonly trouble: RelayTrouble;
  readonly since: Instant;
  readonly isRepeated: boolean;
} | null;

/**
 * `line` is for the log, if there is something new to report: one line per change, however many messages it
 * affected.
 */
export type News = { readonly last: LastNews; readonly line: string | null };

export function onTroubleSeen(last: LastNews, trouble: RelayTrouble, now: Instant): News {
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
