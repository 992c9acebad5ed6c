/** What is owed to webhooks arrives, whatever their receivers do (docs/contract.md "Webhooks"). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { rawTarget } from "../../support/webhooks/raw-target.ts";
import { eventually } from "../../support/common/eventually.ts";
import { numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { listen, passUntil, verify, watchingCalls, type Listening } from "../../support/webhooks/webhooks.ts";
import { answering, webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";
import { isPostgres } from "../../support/server/services.ts";
import { MINUTE, DAY } from "../../support/common/durations.ts";

let clock: ReturnType<typeof watchingCalls>;
let api: SendingApi;
let target: WebhookTarget;
beforeEach(async () => {
  clock = watchingCalls(manualClock());
  target = webhookTarget();
  api = await startSending({}, { clock });
});
afterEach(async () => {
  await api.stop({ graceMs: 0 });
  target.stop();
});

/** Where hours pass. At each step the server looks into its database, which takes longer with PostgreSQL. */
const STEP_MS = isPostgres ? 10_000 : 1_000;

const until = (holds: () => boolean, stepMs?: number) => passUntil(clock, holds, stepMs);
const count = (where: string): number =>
  numberOf(api, `SELECT count(*) AS n FROM webhook_deliveries WHERE ${where}`);
const owed = (): number => count("state = 'PENDING'");
const triedTimes = (n: number): boolean =>
  numberOf(
    api,
    `SELECT coalesce(sum(json_array_length(${isPostgres ? "attempts::json" : "attempts"})), 0) AS n FROM webhook_deliveries`,
  ) >= n;
const read = async ({ id }: Listening) => (await api.call("GET", `/webhooks/${id}`)).body.data;
const told = (n: number): Promise<void> => until(() => target.received.length >= n && owed() === 0);
const subscribed = ["contact.subscribed"];

/** The time passes in steps, so that the job has its turns and could do what it must not do. */
async function passing(ms: number): Promise<void> {
  const then = clock.now() + ms;
  await until(() => clock.now() >= then, STEP_MS);
}

describe("a message", () => {
  test("is answered 2xx and DELIVERED, with its attempt in the log", async () => {
    target.answers = [answering(202, {}, "x".repeat(5_000))];
    const hook = await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    await told(1);
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({
      id: target.received[0]!.headers.get("webhook-id"),
      type: "contact.subscribed",
      state: "DELIVERED",
      nextAttemptAt: null,
      createdAt: hook.messages()[0]!.timestamp,
    });
    expect(delivery.attempts).toEqual([
      {
        at: expect.any(String),
        status: 202,
        answer: "x".repeat(2_048),
        error: null,
        durationMs: expect.any(Number),
      },
    ]);
    expect(target.received[0]!.headers.get("content-type")).toBe("application/json");
  });

  test("that is refused comes again under the same id, first within two minutes, then after growing pauses", async () => {
    target.answers = [
      answering(500),
      answering(302, { location: "/elsewhere" }),
      answering(404),
      answering(200),
    ];
    const hook = await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    const pauses: number[] = [];
    for (let tries = 1; tries <= 3; tries++) {
      await until(() => triedTimes(tries));
      const [delivery] = await hook.deliveries();
      expect(delivery.state).toBe("PENDING");
      pauses.push((Date.parse(delivery.nextAttemptAt) - clock.now()) / MINUTE);
      clock.advance(Date.parse(delivery.nextAttemptAt) - clock.now());
    }
    await told(4);
    for (const [i, minutes] of [1, 5, 15].entries()) {
      expect(pauses[i]).toBeGreaterThan(minutes * 0.75);
      expect(pauses[i]).toBeLessThan(minutes * 1.25);
    }
    const ids = new Set(target.received.map(({ headers }) => headers.get("webhook-id")));
    expect([ids.size, target.received.map(({ path }) => path)]).toEqual([1, Array(4).fill("/hook")]);
    expect((await hook.deliveries())[0].attempts.map(({ status }: any) => status)).toEqual([
      500, 302, 404, 200,
    ]);
    expect(await read(hook)).toMatchObject({ enabled: true, disabledReason: null });
  });

  test.each([
    ["429", 429],
    ["503", 503],
  ])("is not tried again before the Retry-After of a %s", async (_, status) => {
    target.answers = [answering(status, { "retry-after": "3600" }), answering(200)];
    await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    await until(() => triedTimes(1));
    await person(api, "grace@example.com");
    await passing(59 * MINUTE);
    expect(target.received.length).toBe(1);
    await until(() => owed() === 0, STEP_MS);
    expect(target.received.length).toBe(3);
  });

  test("that is 410 Gone is FAILED and disables its webhook; nothing more goes there until it is enabled", async () => {
    target.answers = [answering(410), answering(200)];
    const hook = await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    await until(() => count("state = 'FAILED'") === 1);
    expect(await read(hook)).toMatchObject({ enabled: false, disabledReason: "It answered 410 Gone." });
    await person(api, "grace@example.com");
    await passing(5 * MINUTE);
    expect([target.received.length, count("true")]).toEqual([1, 1]);
    const enabled = await api.call("PATCH", `/webhooks/${hook.id}`, { enabled: true });
    expect(enabled.body.data).toMatchObject({ enabled: true, disabledReason: null });
    await person(api, "linus@example.com");
    await told(2);
    expect(hook.messages()[1]!.data.contact.email).toBe("linus@example.com");
  });

  test("fails for three days and is FAILED; its webhook disables itself, and /deliverability says so", async () => {
    target.answers = [answering(500)];
    const hook = await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    const begin = clock.now();
    for (let tries = 1; count("state = 'FAILED'") === 0; tries++) {
      await until(() => triedTimes(tries));
      if (tries === 1) {
        const { data } = (await api.call("GET", "/deliverability")).body;
        expect(data.find(({ id }: any) => id === "webhook")).toMatchObject({ level: "warning" });
      }
      clock.advance(9 * 60 * MINUTE);
    }
    expect(clock.now() - begin).toBeGreaterThan(3 * DAY);
    expect(target.received.length).toBeLessThan(16);
    expect(await read(hook)).toMatchObject({
      enabled: false,
      disabledReason: "Nothing could be delivered for three days.",
    });
    const { data } = (await api.call("GET", "/deliverability")).body;
    const check = data.find(({ id }: any) => id === "webhook");
    expect(check.level).toBe("problem");
    expect(check.text).toContain("Nothing could be delivered for three days.");
  });
});

describe("the receivers", () => {
  test("one that is slow, one that is dead, one that never answers hold up nobody else's", async () => {
    const silent = rawTarget(null, false);
    const slow = webhookTarget();
    slow.answers = [() => new Promise<Response>(() => {})];
    await listen(api, slow, subscribed, "/slow");
    await api.call("POST", "/webhooks", { url: `http://127.0.0.1:${silent.port}/`, events: ["*"] });
    await api.call("POST", "/webhooks", { url: "http://127.0.0.1:1/", events: ["*"] });
    const hook = await listen(api, target, subscribed);
    for (let i = 0; i < 30; i++) await person(api, `reader-${i}@example.com`);
    let turn = 0;
    // No time passes for them, so the slow ones do not end.
    await eventually(() => {
      if (++turn % 10 === 0 && clock.underWay() <= 4) clock.advance(1);
      return target.received.length === 30;
    });
    expect(new Set(hook.messages().map(({ data }) => data.contact.email)).size).toBe(30);
    const ended = "webhook IN (SELECT seq FROM webhooks WHERE url LIKE '%/slow') AND attempts <> '[]'";
    expect(count(ended)).toBe(0);
    silent.stop();
    slow.stop();
  });

  test("a dead one costs little, however much it is owed: after five failures it is asked once at a time, and rests", async () => {
    target.answers = [answering(500)];
    await listen(api, target, subscribed);
    const contacts = Array.from({ length: 500 }, (_, i) => ({ email: `reader-${i}@example.com` }));
    await api.call("POST", "/contacts/bulk", { contacts });
    const begin = clock.now();
    await until(() => clock.now() - begin > 120 * MINUTE, STEP_MS);
    expect(target.received.length).toBeGreaterThan(10);
    expect(target.received.length).toBeLessThan(40);
    expect(owed()).toBe(500);
    target.answers = [answering(200)];
    await until(() => owed() === 0, STEP_MS);
    expect(count("state = 'DELIVERED'")).toBe(500);
  });

  test("a flapping one gets everything", async () => {
    let asked = 0;
    target.answers = [() => new Response("", { status: asked++ % 3 === 0 ? 500 : 200 })];
    const hook = await listen(api, target, subscribed);
    const contacts = Array.from({ length: 60 }, (_, i) => ({ email: `reader-${i}@example.com` }));
    await api.call("POST", "/contacts/bulk", { contacts });
    await until(() => count("state = 'DELIVERED'") === 60, STEP_MS / 2);
    expect(new Set(hook.messages().map(({ data }) => data.contact.email)).size).toBe(60);
  });

  test("one in a private network is not called, also where its name led elsewhere before", async () => {
    const hook = await listen(api, target, subscribed);
    await api.services.workspaces.changeSettings(api.workspaceId, { allowPrivateWebhooks: false });
    await person(api, "ada@example.com");
    await until(() => triedTimes(1));
    expect(target.received).toEqual([]);
    const [{ attempts, state }] = await hook.deliveries();
    expect([state, attempts[0].status]).toEqual(["PENDING", null]);
    expect(attempts[0].error).toContain("is not a public address");
  });
});

describe("the routes", () => {
  test("rotate: for a day both secrets sign, then the new one alone", async () => {
    const hook = await listen(api, target, subscribed);
    const { body } = await api.call("POST", `/webhooks/${hook.id}/rotate`);
    const { secret } = body.data;
    expect(secret).not.toBe(hook.secret);
    await person(api, "ada@example.com");
    await told(1);
    const signaturesOf = (i: number) => target.received[i]!.headers.get("webhook-signature")!.split(" ");
    expect(signaturesOf(0).length).toBe(2);
    for (const one of [hook.secret, secret]) verify(one, target.received[0]!);
    clock.advance(DAY + MINUTE);
    await person(api, "grace@example.com");
    await told(2);
    expect(signaturesOf(1).length).toBe(1);
    verify(secret, target.received[1]!);
    expect(() => verify(hook.secret, target.received[1]!)).toThrow();
  });

  test("rotate, twice: each secret signs for a day after it was replaced, because a receiver may know any", async () => {
    const hook = await listen(api, target, subscribed);
    const rotate = async (): Promise<string> =>
      (await api.call("POST", `/webhooks/${hook.id}/rotate`)).body.data.secret;
    const second = await rotate();
    clock.advance(DAY / 2);
    const third = await rotate();
    const secrets = [hook.secret, second, third];
    /** Which of them the next message can be checked with. */
    const signing = async (email: string): Promise<string[]> => {
      const before = target.received.length;
      await person(api, email);
      await told(before + 1);
      const message = target.received[before]!;
      expect(message.headers.get("webhook-signature")!.split(" ").length).toBeLessThanOrEqual(3);
      return secrets.filter((secret) => {
        try {
          verify(secret, message);
          return true;
        } catch {
          return false;
        }
      });
    };
    expect(await signing("ada@example.com")).toEqual(secrets);
    clock.advance(DAY / 2 + MINUTE);
    expect(await signing("grace@example.com")).toEqual([second, third]);
    clock.advance(DAY / 2);
    expect(await signing("edsger@example.com")).toEqual([third]);
  });

  test("test: goes out whatever events says, also while the endpoint rests", async () => {
    target.answers = [answering(503, { "retry-after": "3600" }), answering(200)];
    const hook = await listen(api, target, ["contact.deleted"]);
    const first = await api.call("POST", `/webhooks/${hook.id}/test`);
    expect([first.status, first.body.data.type, first.body.data.state]).toEqual([
      202,
      "webhook.test",
      "PENDING",
    ]);
    await until(() => triedTimes(1));
    await api.call("POST", `/webhooks/${hook.id}/test`);
    await until(() => count("state = 'DELIVERED'") === 1);
    expect(hook.messages()[1]).toMatchObject({ type: "webhook.test", data: { webhookId: hook.id } });
  });

  test("replay: the same message under the same id, and the log goes on", async () => {
    const hook = await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    await told(1);
    const [{ id }] = await hook.deliveries();
    const replayed = await api.call("POST", `/webhooks/${hook.id}/deliveries/${id}/replay`);
    expect([replayed.status, replayed.body.data.id, replayed.body.data.state]).toEqual([202, id, "PENDING"]);
    await told(2);
    expect(target.received.map(({ headers }) => headers.get("webhook-id"))).toEqual([id, id]);
    expect(target.received[1]!.body).toBe(target.received[0]!.body);
    const [delivery] = await hook.deliveries();
    expect([delivery.state, delivery.attempts.length]).toEqual(["DELIVERED", 2]);
  });

  test("nothing goes to one that was disabled or deleted; enabled again, it gets what it was owed", async () => {
    target.answers = [answering(500), answering(200)];
    const hook = await listen(api, target, subscribed);
    await person(api, "ada@example.com");
    await until(() => triedTimes(1));
    await api.call("PATCH", `/webhooks/${hook.id}`, { enabled: false });
    await person(api, "while-disabled@example.com");
    await passing(10 * MINUTE);
    for (const path of [`/test`, `/deliveries/${(await hook.deliveries())[0].id}/replay`])
      expect((await api.call("POST", `/webhooks/${hook.id}${path}`)).body.error.code).toBe("WRONG_STATE");
    expect(target.received.length).toBe(1);
    await api.call("PATCH", `/webhooks/${hook.id}`, { enabled: true });
    await told(2);
    expect(hook.messages().map(({ data }) => data.contact.email)).toEqual([
      "ada@example.com",
      "ada@example.com",
    ]);
    target.answers = [answering(500)];
    await person(api, "grace@example.com");
    await until(() => target.received.length === 3);
    expect((await api.call("DELETE", `/webhooks/${hook.id}`)).status).toBe(204);
    clock.advance(DAY);
    await until(() => numberOf(api, "SELECT count(*) AS n FROM webhooks") === 0, STEP_MS);
    expect([
      target.received.length,
      count("true"),
      // PostgreSQL's counts are sums.
      numberOf(api, `SELECT ${isPostgres ? "coalesce(sum(n), 0)" : "count(*)"} AS n FROM webhook_counts`),
    ]).toEqual([3, 0, 0]);
  });

  test("deliveries are kept for 14 days", async () => {
    const hook = await listen(api, target, subscribed);
    for (const email of ["ada@example.com", "grace@example.com"]) await person(api, email);
    await told(2);
    clock.advance(13 * DAY);
    await person(api, "linus@example.com");
    await told(3);
    clock.advance(DAY + MINUTE);
    await until(() => count("true") === 1, STEP_MS);
    const page = (await api.call("GET", `/webhooks/${hook.id}/deliveries`)).body;
    expect([page.pagination.total, page.data.length]).toEqual([1, 1]);
  });
});

test("a restored copy tells nobody until a person enables its webhooks, and forgets nothing meanwhile", async () => {
  const hook = await listen(api, target, subscribed);
  await api.services.ledger.join(clock.now(), true);
  await person(api, "ada@example.com");
  await passing(10 * MINUTE);
  expect(await read(hook)).toMatchObject({
    enabled: false,
    disabledReason: expect.stringContaining("restored"),
  });
  expect([target.received.length, owed()]).toEqual([0, 1]);
  await api.call("PATCH", `/webhooks/${hook.id}`, { enabled: true });
  await told(1);
  expect(hook.types()).toEqual(["contact.subscribed"]);
});
