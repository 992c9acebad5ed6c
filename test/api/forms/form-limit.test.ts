import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#core/time/time.ts";
import { freshIp, newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { contactOf } from "../../support/people/people.ts";
import { rowsFrom } from "../../support/server/services.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms();
  form = await newForm(api);
});
afterAll(() => api.stop());

describe("the limit of five in ten minutes (H-10, H-12)", () => {
  const status = async (ip: string, id = form.id, email = "limit@example.com") =>
    (await api.submit(id, { email }, { ip })).status;

  test("holds over all forms, counts good and bad submissions, and says when to come back", async () => {
    const ip = freshIp();
    const second = await newForm(api);
    expect([
      await status(ip),
      await status(ip, second.id),
      await status(ip, "form_none"),
      await status(ip, form.id, "bad"),
      await status(ip),
    ]).toEqual([200, 200, 404, 400, 200]);
    const refused = await api.submit(form.id, { email: "sixth@example.com" }, { ip });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(590, 601);
    expect(Object.keys((await refused.json()) as object)).toEqual(["error"]);
    expect(await contactOf(api, "sixth@example.com")).toBeNull();
    expect(await status(freshIp())).toBe(200);
  });

  test("slides: the time a refusal names is the first that works, to the second", async () => {
    const ip = freshIp();
    expect(await status(ip)).toBe(200);
    api.clock.shift(4 * MINUTE_MS);
    for (let i = 0; i < 4; i++) expect(await status(ip)).toBe(200);
    const refused = await api.submit(form.id, { email: "limit@example.com" }, { ip });
    expect(refused.status).toBe(429);
    api.clock.shift((Number(refused.headers.get("retry-after")) - 2) * 1_000);
    expect(await status(ip)).toBe(429);
    api.clock.shift(2_000);
    expect(await status(ip)).toBe(200);
    expect(await status(ip)).toBe(429);
  });

  test("an address is the right-most no trusted proxy holds, whatever a client writes before it", async () => {
    const victim = freshIp();
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++)
      statuses.push(await status(`${freshIp()}, nonsense, ${freshIp()}, ${victim}`));
    expect(statuses).toEqual([200, 200, 200, 200, 200, ...Array<number>(35).fill(429)]);
    const chained = await status(`${victim}, 127.0.0.1, ::1`);
    expect(chained).toBe(429);
  });

  test("a /64 of IPv6 is one client, its neighbour another", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => status(`2001:db8:1:2:${i.toString(16)}::${i}`)),
    );
    expect(statuses.filter((each) => each === 200)).toHaveLength(5);
    expect(await status("2001:db8:1:3::1")).toBe(200);
    expect(await status("::ffff:192.0.2.99")).toBe(200);
  });

  test("a hundred at once are five and ninety-five refusals", async () => {
    const ip = freshIp();
    const statuses = await Promise.all(Array.from({ length: 100 }, () => status(ip)));
    expect([
      statuses.filter((each) => each === 200).length,
      statuses.filter((each) => each === 429).length,
    ]).toEqual([5, 95]);
  });

  test("OPTIONS and the pages count for nothing", async () => {
    const ip = freshIp();
    const ask = (method: string, path: string) =>
      fetch(api.url + path, { method, headers: { "X-Forwarded-For": ip } });
    for (let i = 0; i < 10; i++) {
      expect((await ask("OPTIONS", `/api/forms/${form.id}/submit`)).status).toBe(204);
      expect((await ask("GET", `/forms/${form.id}`)).status).toBe(200);
    }
    expect(await status(ip)).toBe(200);
  });

  test("survives a restart, and forgets what is over", async () => {
    const ip = freshIp();
    for (let i = 0; i < 5; i++) await status(ip);
    const kept = () => rowsFrom(api, "SELECT count(*) AS n FROM form_submissions WHERE client = ?", ip);
    expect(kept()).toEqual([{ n: 5 }]);
    api.clock.shift(11 * MINUTE_MS);
    expect(await status(freshIp())).toBe(200);
    expect(kept()).toEqual([{ n: 0 }]);
  });
});

test("the limit holds across a restart of the service", async () => {
  const first = await startForms();
  const { id } = await newForm(first);
  for (let i = 0; i < 5; i++) await first.submit(id, { email: `r${i}@example.com` }, { ip: "192.0.2.1" });
  await first.stop({ keep: true });
  const again = await startForms({}, { home: first });
  expect((await again.submit(id, { email: "r6@example.com" }, { ip: "192.0.2.1" })).status).toBe(429);
  expect((await again.submit(id, { email: "r6@example.com" }, { ip: "192.0.2.2" })).status).toBe(200);
  await again.stop();
});
