/** Campaigns that wait for their time, on a service whose clock the test holds. */
import { afterEach, expect } from "bun:test";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { Answer } from "../server/api.ts";
import { rowOf } from "./campaigns.ts";
import { manualClock, type ManualClock } from "../common/manual-clock.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "./sending.ts";
import { runUntil } from "./sending-state.ts";

export const NOW = Date.UTC(2026, 10, 21, 9);
export const ALREADY_SENT = [422, "CAMPAIGN_ALREADY_SENT"];

export const iso = (at: number) => new Date(at).toISOString();

/** Call it once, at the top of a test file. Each test begins with `start`. */
export function schedules(): Schedules {
  const at = new Schedules();
  afterEach(() => at.api.stop({ graceMs: 0 }));
  return at;
}

export class Schedules {
  api!: SendingApi;
  clock!: ManualClock;
  private readers = 0;

  readonly start = async (settings: Partial<Settings> = {}, startAt = NOW): Promise<void> => {
    this.clock = manualClock(startAt);
    this.api = await startSending({}, { clock: this.clock });
    await this.set(settings);
  };

  readonly set = (change: Partial<Settings>) =>
    this.api.services.workspaces.changeSettings(this.api.workspaceId, change);
  readonly get = async (id: string): Promise<any> =>
    (await this.api.call("GET", `/campaigns/${id}`)).body.data;
  readonly schedule = (id: string, at: number, of = this.api): Promise<Answer> =>
    of.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: iso(at) });
  readonly cancel = (id: string): Promise<Answer> => this.api.call("DELETE", `/campaigns/${id}/schedule`);

  /** A campaign to so many, or to these, that is scheduled; returns its id. */
  readonly scheduledAt = async (
    at: number,
    who: number | readonly string[] = 1,
    of = this.api,
  ): Promise<string> => {
    const addresses =
      typeof who === "number"
        ? Array.from({ length: who }, () => `reader-s-${++this.readers}@example.com`)
        : who;
    const id = await makeCampaign(of, (await makeAudience(of, addresses)).listId);
    expect((await this.schedule(id, at, of)).status).toBe(200);
    return id;
  };

  readonly statusOf = (id: string): string => rowOf(this.api, id).status;
  readonly isSent = (id: string) => () => this.statusOf(id) === "SENT";
  readonly waits = (id: string) => () => rowOf(this.api, id).blocked !== null;
  /** When the campaign is examined next; null once it is not waiting any more. */
  readonly nextTryOf = (id: string): number | null => rowOf(this.api, id).next_try_at;

  /** Jumps to just before an instant, then lets the clock run. */
  readonly reach = async (at: number, holds: () => boolean): Promise<void> => {
    this.clock.advance(Math.max(0, at - this.clock.now()));
    await runUntil(this.clock, holds);
  };

  /** Waits until the scheduler has looked twice, so that everything that was due has run. */
  readonly lookTwice = async (): Promise<void> => {
    const until = this.clock.now() + 2_100;
    await runUntil(this.clock, () => this.clock.now() >= until);
  };
}
