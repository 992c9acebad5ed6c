import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { openHttp } from "#app/http.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { eventLoopDelay } from "#metrics/event-loop-delay.ts";
import { deliveryOutcomes } from "#metrics/delivery-outcomes.ts";
import { expositionText } from "#metrics/exposition.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { post, signedBy } from "../../support/inbound/hooks.ts";
import { sendTo } from "../../support/inbound/reports.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { freeze, newCampaign } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { parsePrometheus, type Metric } from "../../support/document/prometheus.ts";
import { makeAudience, makeCampaign, send, startSending } from "../../support/sending/sending.ts";
import { rowsFrom, writeTo, isPostgres, needsSqlite } from "../../support/server/services.ts";

const stopping: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopping.splice(0).toReversed()) await stop();
});

async function started(): Promise<TestApi> {
  const api = await startApi();
  stopping.push(() => api.stop());
  return api;
}

const scrape = async (url: string): Promise<Metric[]> => {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parsePrometheus(await answer.text());
};

const valueOf = (metrics: readonly Metric[], name: string, labels: Record<string, string> = {}) =>
  metrics.find(
    (metric) =>
      metric.name === name && Object.entries(labels).every(([key, value]) => metric.labels[key] === value),
  )?.value;

describe("/metrics", () => {
  test("is valid, and shows every figure before anything has happened", async () => {
    const metrics = await scrape((await started()).url);
    for (const outcome of ["sent", "bounced", "failed", "uncertain", "deferred", "not_tried", "skipped"])
      expect([outcome, valueOf(metrics, "postrider_messages_total", { outcome })]).toEqual([outcome, 0]);
    for (const outcome of ["applied", "known", "unmatched", "kept", "elsewhere", "ordinary"])
      expect([outcome, valueOf(metrics, "postrider_reports_total", { outcome })]).toEqual([outcome, 0]);
    for (const state of ["ready", "deferred", "held"])
      expect([state, valueOf(metrics, "postrider_queue_messages", { state })]).toEqual([state, 0]);
    for (const work of ["messages", "campaigns", "automations"])
      expect([work, valueOf(metrics, "postrider_oldest_due_work_seconds", { work })]).toEqual([work, 0]);
    expect(valueOf(metrics, "postrider_slowed_domains")).toBe(0);
    expect(valueOf(metrics, "postrider_database_writable")).toBe(1);
    expect(valueOf(metrics, "postrider_database_bytes")).toBeGreaterThanOrEqual(4096);
    const log = valueOf(metrics, "postrider_database_wal_bytes");
    expect(isPostgres ? log === undefined : log! > 0).toBe(true);
  });

  test("answers while the process can open no file, and so cannot read its memory", async () => {
    const { url } = await started();
    expect(valueOf(await scrape(url), "process_resident_memory_bytes")).toBeGreaterThan(0);
    const unread = spyOn(process.memoryUsage, "rss").mockImplementation(() => {
      throw new Error("Failed to get memory usage");
    });
    const metrics = await scrape(url).finally(() => unread.mockRestore());
    expect(valueOf(metrics, "process_resident_memory_bytes")).toBeUndefined();
    expect(valueOf(metrics, "postrider_database_writable")).toBe(1);
  });

  test("counts what became of messages, and names nobody", async () => {
    const api = await startSending({
      RCPT: ({ rcptTo }) => (rcptTo.at(-1)?.includes("grace") ? "550 5.1.1 No such user" : undefined),
    });
    stopping.push(() => api.stop());
    const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.com", "linus@example.com"]);
    await send(api, await makeCampaign(api, listId));
    const text = await (await fetch(`${api.url}/metrics`)).text();
    const metrics = parsePrometheus(text);
    const total = (outcome: string) => valueOf(metrics, "postrider_messages_total", { outcome });
    expect(["sent", "bounced", "failed", "uncertain", "skipped"].map(total)).toEqual([2, 1, 0, 0, 0]);
    expect(text).not.toMatch(/@|example\.com|ws_|cmp_|ct_/);
  });

  test("counts reports by what became of them", async () => {
    const api = await startSending();
    stopping.push(() => api.stop());
    await sendTo(api, ["ada@example.com"]);
    const complains = { RecordType: "SpamComplaint", Type: "SpamComplaint", Email: "ada@example.com" };
    await post(api, "postmark", signedBy("postmark", complains));
    await post(api, "postmark", signedBy("postmark", complains));
    await post(
      api,
      "postmark",
      signedBy("postmark", { ...complains, Email: "of-another-application@example.com" }),
    );
    const metrics = await scrape(api.url);
    const total = (outcome: string) => valueOf(metrics, "postrider_reports_total", { outcome });
    expect(["applied", "known", "unmatched", "kept"].map(total)).toEqual([1, 1, 1, 0]);
  });

  test.skipIf(needsSqlite("a node looks for work by itself, and would take what the test queues"))(
    "shows the depth of the queue and the age of its oldest due work; what is held is not late",
    async () => {
      const api = await started();
      const campaigns = [await newCampaign(api), await newCampaign(api)];
      const now = Date.now();
      const under = await freeze(api, campaigns[0].id, { queued: 3, planned: 3, started_at: now - 120_000 });
      const held = await freeze(api, campaigns[1].id, {
        queued: 1,
        planned: 1,
        held: 1,
        started_at: now - 900_000,
      });
      const rows: [number, string, number | null][] = [
        [under, "ada@example.com", null],
        [under, "grace@example.com", now - 300_000],
        [under, "linus@example.com", now + 600_000],
        [held, "ada@example.com", null],
      ];
      for (const row of rows)
        await writeTo(
          api,
          "INSERT INTO deliveries (mailing, address, state, next_attempt_at) VALUES (?, ?, 'queued', ?)",
          ...row,
        );
      const metrics = await scrape(api.url);
      const queue = ["ready", "deferred", "held"].map((state) =>
        valueOf(metrics, "postrider_queue_messages", { state }),
      );
      expect(queue).toEqual([2, 1, 1]);
      const lag = valueOf(metrics, "postrider_oldest_due_work_seconds", { work: "messages" })!;
      expect(lag).toBeGreaterThanOrEqual(300);
      expect(lag).toBeLessThan(301 + (Date.now() - now) / 1_000);
    },
  );

  test.skipIf(needsSqlite("PostgreSQL counts in its own process"))(
    "counts a large queue in slices of one moment, and others have their turns between them",
    async () => {
      const api = await started();
      const { id } = await newCampaign(api);
      const now = Date.now();
      const rows = 30_000;
      const campaign = await freeze(api, id, {
        queued: rows,
        planned: rows,
        started_at: now - 900_000,
      });
      const queue = (sql: string): Promise<void> =>
        writeTo(
          api,
          `WITH RECURSIVE n(i) AS (
          SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
        INSERT INTO deliveries (mailing, address, state, next_attempt_at)
        SELECT ?, 'a' || i || '@example.com', 'queued', ${sql} FROM n`,
          campaign,
        );
      await queue(`iif(i <= 5, ${now - 60_000} + i, ${now + 3_600_000} + i / 3)`);
      let turns = 0;
      const turn = (): void => {
        turns++;
        if (turns === 1) rowsFrom(api, "UPDATE deliveries SET next_attempt_at = 1 WHERE seq % 2 = 0");
        next = setImmediate(turn);
      };
      let next = setImmediate(turn);
      const figures = await api.services.engine.figures(now);
      clearImmediate(next);
      expect(turns).toBeGreaterThan(1);
      const { queue: found, oldestDueAt } = figures;
      expect(found).toEqual({ ready: 5, deferred: rows - 5, held: 0 });
      // No message waits for its first attempt: it is due since the campaign began otherwise.
      expect(oldestDueAt["messages"]).toBe(now - 60_000 + 1);
    },
  );

  test("times requests by the pattern of their route, whatever strangers ask for", async () => {
    const api = await started();
    const ada = await person(api, "ada@example.com");
    await api.call("GET", `/contacts/${ada.id}`);
    await fetch(`${api.url}/api/v1/contacts/${ada.id}`);
    for (const path of ["/a", "/b", "/c?d=e"]) await fetch(api.url + path, { method: "PROPFIND" });
    const text = await (await fetch(`${api.url}/metrics`)).text();
    const metrics = parsePrometheus(text);
    const count = (labels: Record<string, string>) =>
      valueOf(metrics, "postrider_http_request_duration_seconds_count", labels);
    expect(count({ method: "GET", route: "/api/v1/contacts/:id", status: "2xx" })).toBe(1);
    expect(count({ method: "GET", route: "/api/v1/contacts/:id", status: "4xx" })).toBe(1);
    expect(count({ method: "other", route: "(none)", status: "4xx" })).toBe(3);
    expect(text).not.toContain(ada.id);
  });
});

describe("who may read it", () => {
  const TOKEN = "analytical-engine-1843";
  const REQUESTS: readonly (readonly [string, Record<string, string>, number])[] = [
    ["this machine", {}, 200],
    ["another machine", { "x-forwarded-for": "192.0.2.7" }, 401],
    [
      "another machine with the token",
      { "x-forwarded-for": "192.0.2.7", authorization: `Bearer ${TOKEN}` },
      200,
    ],
    [
      "another machine with a wrong token",
      { "x-forwarded-for": "192.0.2.7", authorization: `Bearer ${TOKEN}x` },
      401,
    ],
    ["a page under a foreign name", { host: "evil.example" }, 401],
  ];

  async function served(metricsToken: string | null, baseUrl = "http://localhost") {
    const api = await started();
    const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
    const site = { kind: "smtp" as const, captured: null, baseUrl, metricsToken };
    const app = openHttp(api.services, api.sending, world, () => true, site);
    app.listen({ port: 0, hostname: "127.0.0.1" });
    stopping.push(() => app.server!.stop(true));
    return { url: `http://127.0.0.1:${app.server!.port}/metrics`, key: api.key };
  }

  test("this machine, and others with the token", async () => {
    const { url, key } = await served(TOKEN);
    for (const [who, headers, status] of REQUESTS)
      expect([who, (await fetch(url, { headers })).status]).toEqual([who, status]);
    const asKey = { "x-forwarded-for": "192.0.2.7", authorization: `Bearer ${key}` };
    expect((await fetch(url, { headers: asKey })).status).toBe(401);
  });

  test("nobody without the token where the address is public, because its proxy may not name its clients: it says so", async () => {
    const { url } = await served(TOKEN, "https://mail.example.com");
    const refused = await fetch(url);
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining("BASE_URL")]);
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });

  test("without a token this machine only: an empty one opens nothing", async () => {
    const { url } = await served(null);
    for (const authorization of ["Bearer ", "Bearer null", `Bearer ${TOKEN}`]) {
      const answer = await fetch(url, { headers: { "x-forwarded-for": "192.0.2.7", authorization } });
      expect([authorization, answer.status, answer.headers.get("www-authenticate")]).toEqual([
        authorization,
        401,
        'Bearer realm="metrics"',
      ]);
    }
  });
});

describe("what is counted", () => {
  test("is escaped, and has its histogram's sums", () => {
    const family = {
      name: "a_total",
      help: "Back\\slash,\nnew line",
      type: "counter",
      samples: [{ value: 1e21, labels: { b: 'quote " back\\slash \n line' } }],
    } as const;
    expect(parsePrometheus(expositionText([family]))).toEqual([
      { name: "a_total", labels: { b: 'quote " back\\slash \n line' }, value: 1e21 },
    ]);
    expect(expositionText([{ ...family, samples: [] }])).toBe("");
  });

  test("is a late timer, by the clock that is passed in", () => {
    const clock = manualClock();
    const delay = eventLoopDelay({ ...clock, setTimer: (ms, run) => clock.setTimer(ms + 30, run) });
    delay.start();
    clock.advance(1_300);
    const metrics = parsePrometheus(expositionText([delay.family()]));
    expect(valueOf(metrics, "postrider_event_loop_delay_seconds_count")).toBe(10);
    expect(valueOf(metrics, "postrider_event_loop_delay_seconds_bucket", { le: "0.025" })).toBe(0);
    expect(valueOf(metrics, "postrider_event_loop_delay_seconds_bucket", { le: "0.05" })).toBe(10);
    delay.stop();
    expect(clock.pending).toBe(0);
  });

  test("only what the ledger has written down", async () => {
    const outcomes = deliveryOutcomes();
    const refusing = { settle: () => Promise.reject(new Error("disk full")) };
    const ledger = outcomes.watch(refusing as never);
    await ledger.settle(1, { state: "uncertain", reason: "LOST" }, 0, null, "bulk").catch(() => undefined);
    expect(outcomes.family().samples.every(({ value }) => value === 0)).toBe(true);
  });

  const BROKEN = [
    "a 1",
    "# HELP a b\n# TYPE a gauge\na 1\na 1\n",
    "# HELP a b\n# TYPE a gauge\nb 1\n",
    '# HELP a b\n# TYPE a gauge\na{c="d} 1\n',
    "# HELP a b\n# TYPE a histogram\na_count 1\n",
  ];
  test.each(BROKEN)("by a reader that takes nothing less: %j", (text) => {
    expect(() => parsePrometheus(text)).toThrow();
  });
});
