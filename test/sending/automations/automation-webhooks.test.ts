import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { apiDocument } from "#app/http.ts";
import { BASE_URL } from "../../support/server/api.ts";
import { chain, enrollmentsOf, live } from "../../support/automations/automations.ts";
import { NEW_SUBSCRIBER as NEW } from "../../support/automations/flows.ts";
import { documentCheck } from "../../support/document/document-check.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { contactOf, person } from "../../support/people/people.ts";
import { drivenUntil, numberIn, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";
import { HOUR, MINUTE } from "../../support/common/durations.ts";

const document = apiDocument(BASE_URL);
const { fits: documented } = documentCheck(document);

/** A Monday, 09:00 UTC. */
let clock: ManualClock;
let api: SendingApi;
let target: WebhookTarget;
beforeEach(async () => {
  clock = manualClock();
  target = webhookTarget();
  api = await startSending({}, { clock });
});
afterEach(async () => {
  await api.stop({ graceMs: 0 });
  target.stop();
});

const record = (name: string, email: string, more: object = {}) =>
  api.call("POST", "/events", { name, email, ...more });
const settings = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);

describe("webhooks", () => {
  const hook = (path = "/hook") => ({ action: "webhook", url: `http://127.0.0.1:${target.port}${path}` });
  const called = (n: number) => drivenUntil(clock, () => target.received.length >= n, 1);
  const runEnds = (id: string) =>
    drivenUntil(
      clock,
      async () =>
        (await numberIn(
          api,
          `SELECT count(*) FROM enrollments e JOIN automations a ON a.seq = e.automation WHERE a.id = '${id}' AND e.status <> 'ACTIVE'`,
        )) > 0,
      5,
    );

  test("are signed, as documented, carry contact and event, and let the run go on when they are answered 2xx", async () => {
    await settings({ allowPrivateWebhooks: true });
    const id = await live(
      api,
      chain(
        { trigger: "custom_event", eventName: "paid" },
        ["h", "action", hook("/in?x=1")],
        ["t", "action", { action: "add_tag", tag: "told" }],
      ),
    );
    await record("paid", "ada@example.com", { valueCents: 5 });
    await runEnds(id);
    const [{ headers, body, path }] = target.received as [(typeof target.received)[number]];
    const { webhookSecret } = await api.services.workspaces.settings(api.workspaceId);
    const signedAt = new Date(Number(headers.get("webhook-timestamp")) * 1000);
    expect(headers.get("webhook-signature")).toBe(
      new Webhook(webhookSecret).sign(headers.get("webhook-id")!, signedAt, body),
    );
    expect([path, headers.get("content-type")]).toEqual(["/in", "application/json"]);
    expect(
      documented(
        "/webhooks/automationWebhook/post/requestBody/content/application~1json/schema",
        JSON.parse(body),
      ),
    ).toBe(true);
    expect(document.webhooks["automationWebhook"]!["post"]!.parameters!.map(({ name }) => name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
    const { data } = JSON.parse(body);
    expect([data.automationId, data.nodeId, data.contact.email, data.event.valueCents]).toEqual([
      id,
      "h",
      "ada@example.com",
      5,
    ]);
    expect((await contactOf(api, "ada@example.com")).tags).toEqual(["told"]);
    expect(target.received.length).toBe(1);
  });

  test("answered 5xx are made again after growing pauses, under the same id, and the reason shows", async () => {
    await settings({ allowPrivateWebhooks: true });
    target.answers = [
      () => new Response("", { status: 503 }),
      () => new Response("", { status: 302, headers: { location: "/elsewhere" } }),
      () => new Response("ok"),
    ];
    const id = await live(api, chain(NEW, ["h", "action", hook()]));
    await person(api, "ada@example.com");
    await called(1);
    await drivenUntil(
      clock,
      async () => (await numberIn(api, "SELECT count(*) FROM enrollments WHERE problem IS NOT NULL")) === 1,
      1,
    );
    const [problem] = (await api.call("GET", `/automations/${id}/problems`)).body.data.slice(-1);
    expect(problem.message).toContain("The webhook answered 503.");
    clock.advance(2 * MINUTE);
    await called(2);
    await drivenUntil(
      clock,
      async () => (await numberIn(api, "SELECT max(attempts) FROM enrollments")) === 2,
      1,
    );
    clock.advance(7 * MINUTE);
    await runEnds(id);
    expect((await enrollmentsOf(api, id))[0].status).toBe("COMPLETED");
    expect(target.received.map(({ path }) => path)).toEqual(["/hook", "/hook", "/hook"]);
    expect(new Set(target.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  });

  test("that never succeed are FAILED after three days, with the last reason", async () => {
    await settings({ allowPrivateWebhooks: true });
    target.answers = [() => new Response("", { status: 500 })];
    const id = await live(api, chain(NEW, ["h", "action", hook()]));
    await person(api, "ada@example.com");
    const failed = async () =>
      (await numberIn(api, "SELECT count(*) FROM enrollments WHERE status = 'FAILED'")) === 1;
    for (let tries = 1; !(await failed()); tries++) {
      await called(tries);
      await drivenUntil(
        clock,
        async () =>
          (await numberIn(
            api,
            `SELECT count(*) FROM enrollments WHERE attempts >= ${tries} OR status = 'FAILED'`,
          )) === 1,
        1,
      );
      clock.advance(10 * HOUR);
    }
    expect(target.received.length).toBeGreaterThan(2);
    expect((await enrollmentsOf(api, id))[0].errorMessage).toMatch(
      /"h" was tried for three days in vain.*answered 500/,
    );
  });

  test("410 Gone and private targets fail at once, and nothing is sent there", async () => {
    const gone = await live(api, chain(NEW, ["h", "action", hook()]));
    await person(api, "ada@example.com");
    await runEnds(gone);
    expect((await enrollmentsOf(api, gone))[0].errorMessage).toContain("not a public address");
    expect(target.received.length).toBe(0);
    await settings({ allowPrivateWebhooks: true });
    target.answers = [() => new Response("", { status: 410 })];
    await person(api, "grace@example.org");
    await drivenUntil(
      clock,
      async () => (await numberIn(api, "SELECT count(*) FROM enrollments WHERE status = 'FAILED'")) === 2,
      5,
    );
    expect((await enrollmentsOf(api, gone))[0].errorMessage).toContain("answered 410");
    expect(target.received.length).toBe(1);
  });

  test("that hang are given up after 10 seconds and tried again", async () => {
    await settings({ allowPrivateWebhooks: true });
    target.answers = [() => new Promise<Response>(() => undefined), () => new Response("ok")];
    const id = await live(api, chain(NEW, ["h", "action", hook()]));
    await person(api, "ada@example.com");
    await called(1);
    clock.advance(10_001);
    await drivenUntil(
      clock,
      async () =>
        (await numberIn(api, "SELECT count(*) FROM enrollments WHERE problem LIKE '%10 seconds%'")) === 1,
      1,
    );
    clock.advance(2 * MINUTE);
    await runEnds(id);
    expect((await enrollmentsOf(api, id))[0].status).toBe("COMPLETED");
  });
});
