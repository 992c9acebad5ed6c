import { describe, expect, test } from "bun:test";
import { TOO_LATE } from "#campaigns/send/guardrails.ts";
import { iso, NOW, schedules } from "../../support/sending/schedules.ts";
import { makeAudience, makeCampaign, reportOf, send, startSending } from "../../support/sending/sending.ts";
import {
  addReaders,
  answered,
  mailOf,
  otherWorkspace,
  runUntil,
  usageOf,
  warningsOf,
} from "../../support/sending/sending-state.ts";
import { writeTo } from "../../support/server/services.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

const service = schedules();
const { start, get, schedule, scheduledAt, statusOf, isSent, waits, nextTryOf, reach, lookTwice } = service;

describe("a schedule in a restored copy", () => {
  test("is held although it is still to come, and goes out at its time once it is released", async () => {
    await start();
    const [released, kept] = [await scheduledAt(NOW + HOUR), await scheduledAt(NOW + HOUR)];
    expect(await service.api.services.ledger.join(NOW, true)).toMatchObject({ held: 2 });
    await service.api.services.campaigns.releaseCampaign(service.api.workspaceId, released);
    await lookTwice();
    expect(service.api.relay.transactions).toBe(0);
    await reach(NOW + HOUR, isSent(released));
    await lookTwice();
    expect([statusOf(kept), service.api.relay.accepted.length]).toEqual(["SCHEDULED", 1]);
    expect((await reportOf(service.api, kept)).blocked).toContain(`postrider campaign release ${kept}`);
  });
});

test("a schedule that a wrong clock held as too late does not go on by itself in a copy", async () => {
  await start();
  const id = await scheduledAt(NOW + HOUR);
  await writeTo(
    service.api,
    `UPDATE campaigns SET held = true, blocked = '${TOO_LATE}', next_try_at = ${NOW} WHERE id = '${id}'`,
  );
  const { ledger } = service.api.services;
  expect(await ledger.join(NOW, true)).toMatchObject({ held: 1 });
  expect(await ledger.join(NOW, true)).toMatchObject({ held: 0 });
  await lookTwice();
  service.clock.advance(2 * HOUR);
  await lookTwice();
  expect([statusOf(id), service.api.relay.transactions]).toEqual(["SCHEDULED", 0]);
});

describe("a schedule that is due", () => {
  test("starts within 2 seconds of its time, not before, and once", async () => {
    await start();
    const at = NOW + 5 * MINUTE + 437;
    const id = await scheduledAt(at, 3);
    await reach(at - 1_000, () => service.clock.now() >= at - 1);
    expect([statusOf(id), service.api.relay.transactions]).toEqual(["SCHEDULED", 0]);
    await runUntil(service.clock, isSent(id));
    const { startedAt } = await reportOf(service.api, id);
    expect(Date.parse(startedAt) - at).toBeGreaterThanOrEqual(0);
    expect(Date.parse(startedAt) - at).toBeLessThanOrEqual(2_000);
    await lookTwice();
    expect(service.api.relay.accepted.length).toBe(3);
    expect(await get(id)).toMatchObject({ status: "SENT", scheduledAt: iso(at) });
    expect(warningsOf(service.api)).toEqual([]);
  });

  test("starts by the machine's own clock, and not before its time", async () => {
    service.api = await startSending();
    const id = await makeCampaign(service.api, (await makeAudience(service.api, 2)).listId);
    // A schedule is at least 30 seconds ahead over HTTP; a test does not wait that long.
    const at = Date.now() + 300;
    await writeTo(
      service.api,
      `UPDATE campaigns SET status = 'SCHEDULED', scheduled_at = ${at}, next_try_at = ${at} WHERE id = '${id}'`,
    );
    await service.api.relay.reached("DOT");
    // How late it may be is said above, by a clock that a busy machine does not hold up.
    expect(Date.now()).toBeGreaterThanOrEqual(at);
  });

  test("does not wait for another campaign's long list, nor for one that cannot start", async () => {
    await start();
    const at = NOW + MINUTE;
    const empty = await scheduledAt(at, 0);
    const many = await scheduledAt(at, 1);
    await addReaders(service.api, many, 20_000);
    const small = await scheduledAt(at + 1, 1);
    await reach(at, waits(empty));
    await runUntil(service.clock, isSent(small));
    expect(Date.parse((await reportOf(service.api, small)).startedAt) - at).toBeLessThanOrEqual(2_000);
    expect(statusOf(empty)).toBe("SCHEDULED");
  });

  test("goes to whoever is on the list by then, with what the campaign says by then", async () => {
    await start();
    const id = await scheduledAt(NOW + MINUTE, ["ada@example.com"]);
    const { listId } = await get(id);
    await service.api.call("PATCH", `/campaigns/${id}`, { subject: "Changed my mind" });
    const grace = (await service.api.call("POST", "/contacts", { email: "grace@example.org" })).body.data.id;
    await service.api.call("POST", `/lists/${listId}/contacts`, { contactId: grace });
    await reach(NOW + MINUTE, isSent(id));
    expect(mailOf(service.api).toSorted()).toEqual([
      "ada@example.com: Changed my mind",
      "grace@example.org: Changed my mind",
    ]);
  });
});

describe("changing a schedule", () => {
  test("a new time takes the place of the old one, earlier or later", async () => {
    await start();
    const [later, earlier] = [await scheduledAt(NOW + HOUR), await scheduledAt(NOW + 3 * HOUR)];
    expect((await schedule(later, NOW + 2 * HOUR)).body.data.scheduledAt).toBe(iso(NOW + 2 * HOUR));
    await schedule(earlier, NOW + HOUR);
    await reach(NOW + HOUR, isSent(earlier));
    await lookTwice();
    expect(statusOf(later)).toBe("SCHEDULED");
    await reach(NOW + 2 * HOUR, isSent(later));
    service.clock.advance(2 * HOUR);
    await lookTwice();
    expect(service.api.relay.accepted.length).toBe(2);
  });

  test("a SCHEDULED campaign that is sent by hand goes out once, not again at its time", async () => {
    await start();
    const id = await scheduledAt(NOW + HOUR, 3);
    const answer = await answered(service.clock, send(service.api, id));
    expect(answer.body.data).toEqual({ sent: 3, failed: 0, remaining: 0, complete: true });
    expect(statusOf(id)).toBe("SENT");
    service.clock.advance(2 * HOUR);
    await lookTwice();
    expect(service.api.relay.accepted.length).toBe(3);
  });

  test("its list deleted, it is a DRAFT and does not go out", async () => {
    await start();
    const id = await scheduledAt(NOW + HOUR, 3);
    const { listId } = await get(id);
    expect((await service.api.call("DELETE", `/lists/${listId}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: "DRAFT", scheduledAt: null, listId: null });
    service.clock.advance(2 * HOUR);
    await lookTwice();
    expect([statusOf(id), service.api.relay.transactions]).toEqual(["DRAFT", 0]);
  });

  test("deleted, it does not go out", async () => {
    await start();
    const id = await scheduledAt(NOW + HOUR, 3);
    expect((await service.api.call("DELETE", `/campaigns/${id}`)).status).toBe(204);
    service.clock.advance(2 * HOUR);
    await lookTwice();
    expect(service.api.relay.transactions).toBe(0);
  });
});

describe("two workspaces", () => {
  test("have their own suppressions, blocked domains and guardrails, for the same people", async () => {
    await start();
    const other = await otherWorkspace(service.api);
    const people = ["ada@example.com", "grace@example.org", "linus@example.net"];
    const at = NOW + MINUTE;
    const [mine, theirs] = [await scheduledAt(at, people), await scheduledAt(at, people, other)];
    await service.api.services.suppressions.add(service.api.workspaceId, "ada@example.com");
    await service.api.services.suppressions.blockDomain(other.workspaceId, "example.org");
    await other.services.workspaces.changeSettings(other.workspaceId, {
      quietHours: { fromMinute: 0, toMinute: 1439 },
    });
    await reach(at, isSent(mine));
    await runUntil(service.clock, waits(theirs));
    expect(mailOf(service.api).toSorted()).toEqual([
      "grace@example.org: Spring is here",
      "linus@example.net: Spring is here",
    ]);
    expect((await service.api.call("GET", `/campaigns/${theirs}`)).status).toBe(404);
    expect((await service.api.call("POST", `/campaigns/${theirs}/send`)).status).toBe(404);
    await other.services.workspaces.changeSettings(other.workspaceId, { quietHours: null });
    await reach(nextTryOf(theirs)!, isSent(theirs));
    expect(mailOf(service.api).slice(2).toSorted()).toEqual([
      "ada@example.com: Spring is here",
      "linus@example.net: Spring is here",
    ]);
    expect((await reportOf(service.api, mine)).skipped).toEqual({ SUPPRESSED: 1 });
    expect((await reportOf(other, theirs)).skipped).toEqual({ BLOCKED_DOMAIN: 1 });
    expect([usageOf(service.api)["2026-11-21"], usageOf(other)["2026-11-21"]]).toEqual([2, 2]);
  });
});
