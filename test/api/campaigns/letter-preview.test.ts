/** Letters that somebody looks at: POST /letters/preview and the address that it answers. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const clock = manualClock(Date.UTC(2026, 10, 22, 12));
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const MIB = 1024 * 1024;

async function look(html: string, at: TestApi = api): Promise<{ path: string; expiresAt: string }> {
  const { status, body } = await at.call("POST", "/letters/preview", { html });
  expect(status).toBe(200);
  return body.data;
}

const shown = (path: string): Promise<Response> => fetch(api.url + path);

describe("a letter to look at", () => {
  test("is shown as it is, in an origin of its own where nothing runs and nothing is sent", async () => {
    const html = `<!doctype html><script>parent.alert(1)</script><form action="/x"><p>Grüße 👋</p>`;
    const { path } = await look(html);
    const answer = await shown(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(html.replace("<script>", '<base target="_blank"><script>'));
    const policy = answer.headers.get("content-security-policy")!.split("; ");
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"]),
    );
    expect(policy[0]).toStartWith("sandbox");
    expect(policy.join()).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("has an address that nobody guesses, is gone after ten minutes, and another is 404", async () => {
    const [one, other] = [await look("<p>1"), await look("<p>1")];
    expect(one.path).toMatch(/^\/console\/letters\/[\w-]{32}$/);
    expect(one.path).not.toBe(other.path);
    expect(one.expiresAt).toBe("2026-11-22T12:10:00.000Z");
    clock.advance(599_000);
    expect((await shown(one.path)).status).toBe(200);
    clock.advance(1_000);
    expect((await shown(one.path)).status).toBe(404);
    expect((await shown("/console/letters/nothing")).status).toBe(404);
  });

  test("is at most 1 MiB, and a workspace costs only its own oldest letters", async () => {
    const theirs = await look("<p>theirs", await inNewWorkspace(api));
    const first = await look("<p>first");
    const whole = "x".repeat(MIB);
    const [second, third] = [await look(whole), await look(whole)];
    const statuses = await Promise.all([theirs, first, second, third].map(({ path }) => shown(path)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    const tooLarge = await api.call("POST", "/letters/preview", { html: `${whole}x` });
    expect([tooLarge.status, tooLarge.body.error.message]).toEqual([
      422,
      "html: at most 1048576 bytes can be looked at.",
    ]);
    expect((await shown(third.path)).status).toBe(200);
  });
});
