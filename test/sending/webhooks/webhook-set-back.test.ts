/** A clock that was ahead for a while, and webhooks. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { isPostgres } from "../../support/server/services.ts";
import { answering, webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";
import { listen, passUntil, watchingCalls } from "../../support/webhooks/webhooks.ts";
import { MINUTE, DAY } from "../../support/common/durations.ts";

const STEP_MS = isPostgres ? 10_000 : 1_000;

let aheadMs = 0;
let clock: ReturnType<typeof watchingCalls>;
let api: SendingApi;
let target: WebhookTarget;
beforeEach(async () => {
  const held = manualClock();
  aheadMs = 0;
  clock = watchingCalls({ ...held, now: () => held.now() + aheadMs });
  target = webhookTarget();
  api = await startSending({}, { clock });
});
afterEach(async () => {
  await api.stop({ graceMs: 0 });
  target.stop();
});

const until = (holds: () => boolean, stepMs?: number) => passUntil(clock, holds, stepMs);
const owed = (): number =>
  numberOf(api, "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'PENDING'");
const failing = (): number => numberOf(api, "SELECT count(*) AS n FROM webhooks WHERE failures > 0");
const disabled = (): number => numberOf(api, "SELECT count(*) AS n FROM webhooks WHERE state = 'DISABLED'");

test("a call that failed while the clock was a year ahead holds up nothing once it is right", async () => {
  aheadMs = 365 * DAY;
  target.answers = [answering(500), answering(200), answering(200)];
  await listen(api, target, ["contact.subscribed"]);
  await person(api, "ada@example.com");
  await until(() => failing() === 1);
  aheadMs = 0;
  const rightAt = clock.now();
  await person(api, "grace@example.com");
  await until(() => owed() === 0 || clock.now() > rightAt + 10 * MINUTE, STEP_MS);
  expect([owed(), target.received.length]).toEqual([0, 3]);
});

test("a webhook that failed for a minute is not disabled for good by a clock that was four days ahead", async () => {
  target.answers = [answering(500), answering(500), answering(200)];
  await listen(api, target, ["contact.subscribed"]);
  await person(api, "ada@example.com");
  await until(() => failing() === 1);
  aheadMs = 4 * DAY;
  await person(api, "grace@example.com");
  await until(() => target.received.length >= 2 && disabled() === 1, STEP_MS);
  aheadMs = 0;
  const rightAt = clock.now();
  await until(() => disabled() === 0 || clock.now() > rightAt + MINUTE, STEP_MS);
  expect(disabled()).toBe(0);
  await person(api, "edsger@example.com");
  await until(() => failing() === 0 || clock.now() > rightAt + 10 * MINUTE, STEP_MS);
  expect(failing()).toBe(0);
  await until(() => owed() === 0 || clock.now() > rightAt + 10 * MINUTE, STEP_MS);
  expect(numberOf(api, "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'FAILED'")).toBe(0);
});

test("a message that was tried once is not given up by a clock that was four days ahead, at an endpoint that is well", async () => {
  target.answers = [answering(500), answering(200), answering(500), answering(200)];
  await listen(api, target, ["contact.subscribed"]);
  await person(api, "ada@example.com");
  await until(() => failing() === 1);
  await person(api, "grace@example.com");
  await until(() => failing() === 0);
  aheadMs = 4 * DAY;
  await until(() => failing() === 1, STEP_MS);
  aheadMs = 0;
  const rightAt = clock.now();
  await until(() => target.received.length === 4 || clock.now() > rightAt + 10 * MINUTE, STEP_MS);
  await until(() => failing() === 0 || clock.now() > rightAt + 20 * MINUTE, STEP_MS);
  expect(numberOf(api, "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'DELIVERED'")).toBe(2);
});
