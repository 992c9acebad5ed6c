/** A clock that was ahead for a moment, and campaigns that wait for their time. */
import { expect, test } from "bun:test";
import type { Settings } from "#workspaces/settings/settings.ts";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { iso, NOW } from "../../support/sending/schedules.ts";
import {
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  startSending,
} from "../../support/sending/sending.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

test.each<[string, number, Partial<Settings>]>([
  ["was held as too late", 48 * HOUR, {}],
  ["had to wait for quiet hours", 10 * HOUR, { quietHours: { fromMinute: 18 * 60, toMinute: 21 * 60 } }],
])("a campaign that %s while the clock was ahead goes out at its time", async (_, ahead, settings) => {
  const held = manualClock(NOW);
  let aheadMs = 0;
  const clock = { ...held, now: () => held.now() + aheadMs };
  const api = await startSending({}, { clock });
  try {
    await api.services.workspaces.changeSettings(api.workspaceId, settings);
    const id = await makeCampaign(api, (await makeAudience(api, 1)).listId);
    await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: iso(NOW + 3 * HOUR) });
    aheadMs = ahead;
    await drivenUntil(clock, () => rowOf(api, id).blocked !== null);
    aheadMs = 0;
    const early = clock.now() + MINUTE;
    await drivenUntil(clock, () => clock.now() > early, 500);
    expect([rowOf(api, id).status, api.relay.transactions]).toEqual(["SCHEDULED", 0]);
    clock.advance(NOW + 3 * HOUR - clock.now());
    const late = clock.now() + 2 * MINUTE;
    const isPutOff = () => Boolean(rowOf(api, id).held) || rowOf(api, id).next_try_at > clock.now();
    const isOver = () => rowOf(api, id).status === "SENT" || (clock.now() > late && isPutOff());
    await drivenUntil(clock, isOver, 500);
    expect([rowOf(api, id).status, api.relay.transactions]).toEqual(["SENT", 1]);
  } finally {
    await driven(clock, api.stop({ graceMs: 0 }), 1_000);
  }
});
