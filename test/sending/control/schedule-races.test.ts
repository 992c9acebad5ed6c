import { describe, expect, test } from "bun:test";
import { yieldTurns } from "#core/time/event-loop.ts";
import { refusal } from "../../support/server/api.ts";
import { ALREADY_SENT, iso, NOW, schedules } from "../../support/sending/schedules.ts";
import {
  addressesMailed,
  makeAudience,
  makeCampaign,
  send,
  startSending,
} from "../../support/sending/sending.ts";
import {
  answered,
  standingClock,
  runUntil,
  usageOf,
  warningsOf,
} from "../../support/sending/sending-state.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

const service = schedules();
const { start, get, schedule, cancel, scheduledAt, statusOf, isSent, reach, lookTwice } = service;

describe("races", () => {
  /** Campaigns to one person each, all due at once; `act` on each while the scheduler starts them. */
  async function race(
    count: number,
    act: (id: string) => Promise<{ status: number; body: any }>,
  ): Promise<Map<string, number[]>> {
    await start();
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const id = await makeCampaign(
        service.api,
        (await makeAudience(service.api, [`racer-${i}@example.com`])).listId,
        {
          subject: `Race ${i}`,
        },
      );
      await schedule(id, NOW + HOUR);
      ids.push(id);
    }
    service.clock.advance(HOUR);
    service.clock.advance(1_000);
    // Every other one is a few turns of the event loop behind.
    const answers = await answered(
      service.clock,
      Promise.all(
        ids.map(async (id, i) => {
          await yieldTurns(i % 12);
          return refusal(await act(id)) as number[];
        }),
      ),
    );
    await runUntil(service.clock, () => ids.every((id) => statusOf(id) !== "SCHEDULED"));
    await lookTwice();
    return new Map(ids.map((id, i) => [id, answers[i]!]));
  }

  const mailed = (i: number) =>
    service.api.relay.accepted.filter(({ rcptTo }) => rcptTo[0] === `racer-${i}@example.com`).length;

  test("a schedule cancelled in the instant it is due is either cancelled or sent, never both", async () => {
    const outcomes = [...(await race(50, cancel))].map(([id, answer], i) => [
      ...answer,
      statusOf(id),
      mailed(i),
    ]);
    const cancelled = [200, undefined, "DRAFT", 0];
    const sent = [...ALREADY_SENT, "SENT", 1];
    for (const outcome of outcomes) expect([cancelled, sent]).toContainEqual(outcome);
    expect(service.api.relay.accepted.length).toBe(outcomes.filter(([status]) => status === 422).length);
    expect(warningsOf(service.api)).toEqual([]);
  });

  test("a schedule put off in the instant it is due goes out now or then, never twice", async () => {
    const at = NOW + 5 * HOUR;
    await start();
    const outcomes = await race(20, async (id) => {
      const answer = await schedule(id, at);
      if (answer.status === 200) await cancel(id);
      return answer;
    });
    for (const [i, [id, answer]] of [...outcomes].entries()) {
      const outcome = [...answer, statusOf(id), mailed(i)];
      expect([
        [200, undefined, "DRAFT", 0],
        [...ALREADY_SENT, "SENT", 1],
      ]).toContainEqual(outcome);
    }
  });

  test("a schedule that is due while it is sent by hand goes out once", async () => {
    const outcomes = await race(30, (id) => send(service.api, id));
    for (const [i, [id, [status, code]]] of [...outcomes].entries()) {
      expect([200, 422]).toContain(status!);
      expect([undefined, "CAMPAIGN_ALREADY_SENT"]).toContain(code as any);
      expect([statusOf(id), mailed(i)]).toEqual(["SENT", 1]);
    }
  });
});

describe("the wall clock", () => {
  test.each([
    ["a day forward", 24 * HOUR],
    ["a day back", -24 * HOUR],
    ["beyond 2038", 15 * 365 * 24 * HOUR],
  ])("jumping %s in the middle of a send mails nobody twice and leaves nobody out", async (_name, byMs) => {
    const wall = standingClock(NOW);
    let accepted = 0;
    const jump = (): undefined => void (++accepted === 10 && (wall.at += byMs));
    service.api = await startSending({ DOT: jump }, { clock: wall });
    const { listId, addresses } = await makeAudience(service.api, 40);
    const id = await makeCampaign(service.api, listId);
    expect((await send(service.api, id)).body.data).toEqual({
      sent: 40,
      failed: 0,
      remaining: 0,
      complete: true,
    });
    expect(addressesMailed(service.api)).toEqual(addresses.toSorted());
    expect(await get(id)).toMatchObject({ status: "SENT", sentAt: iso(wall.at) });
    expect(usageOf(service.api)).toEqual({ "2026-11-21": 40, "2026-11": 40 });
  });

  test("stepping back after a schedule went out does not send it again", async () => {
    await start();
    const id = await scheduledAt(NOW + MINUTE);
    await reach(NOW + MINUTE, isSent(id));
    const real = service.clock.now;
    service.clock.now = () => real() - HOUR;
    service.clock.advance(2 * HOUR);
    await lookTwice();
    expect(service.api.relay.accepted.length).toBe(1);
  });
});
