import { expect, test } from "bun:test";
import { estimatedSeconds, type Estimate } from "#campaigns/check/estimate.ts";
import { parseWarmUp } from "#workspaces/warm-up.ts";

const HOUR_S = 3_600;
/** 22:00 in Berlin. */
const NOW = Date.UTC(2026, 11, 1, 21);
const warmUp = parseWarmUp("100 100% 3 2026-12-01") ?? null;
const send: Estimate = {
  recipients: 500,
  pace: 50,
  now: NOW,
  warmUp: null,
  timezone: "Europe/Berlin",
  sentToday: 0,
  limits: [],
};
const limit = (recipients: number, perHour: number, sentInHour = 0) => ({ recipients, perHour, sentInHour });

test.each([
  ["by its pace alone", {}, 10],
  ["of nobody", { recipients: 0 }, 0],
  ["where today's share of a warm-up is enough", { recipients: 100, warmUp }, 2],
  ["where tomorrow's is needed: from midnight on", { recipients: 101, warmUp }, 2 * HOUR_S + 1],
  ["with what went out today", { recipients: 100, warmUp, sentToday: 60 }, 2 * HOUR_S + 2],
  ["with more than that", { recipients: 100, warmUp, sentToday: 600 }, 2 * HOUR_S + 2],
  ["until the warm-up is over, and then all of it", { recipients: 5_000, warmUp }, (2 + 48) * HOUR_S + 86],
  [
    "in a zone whose clock is changed",
    { recipients: 101, warmUp: parseWarmUp("100 0% 9 2026-10-25") ?? null, now: Date.UTC(2026, 9, 24, 22) },
    25 * HOUR_S + 1,
  ],
  ["within the limit of a domain", { limits: [limit(400, 400)] }, 10],
  ["above it", { limits: [limit(401, 400), limit(3, 100)] }, HOUR_S],
  ["above it because of what went out before", { limits: [limit(400, 400, 1)] }, HOUR_S],
  ["far above it", { limits: [limit(10_000, 400)] }, 24 * HOUR_S],
  ["by what takes longest", { recipients: 200, warmUp, limits: [limit(200, 50)] }, 3 * HOUR_S],
] as const)("a send takes so long %s", (_, given, seconds) => {
  expect(estimatedSeconds({ ...send, ...given })).toBe(seconds);
});
