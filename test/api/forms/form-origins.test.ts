import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freshIp, newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { contactOf } from "../../support/people/people.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms();
  form = await newForm(api);
});
afterAll(() => api.stop());

describe("cross-origin (H-11)", () => {
  const CORS = [
    "access-control-allow-origin",
    "access-control-allow-credentials",
    "access-control-allow-methods",
    "access-control-allow-headers",
    "vary",
  ];
  const corsOf = ({ headers }: Response) =>
    Object.fromEntries(
      CORS.flatMap((name) => headers.get(name) ?? []).length === 0
        ? []
        : CORS.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]),
    );
  const from = (origin: string) => ({ headers: { Origin: origin } });
  const ask = (path: string, method: string, origin = "https://shop.example.com") =>
    fetch(api.url + path, {
      method,
      headers: { Origin: origin, "X-Forwarded-For": freshIp(), "Access-Control-Request-Method": "POST" },
    });

  test("any site may submit and read the answer, errors too, without credentials", async () => {
    const any = (origin: string) => ({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "*",
      vary: "Origin",
    });
    expect(
      corsOf(await api.submit(form.id, { email: "cors@example.com" }, from("https://shop.example.com"))),
    ).toEqual(any("https://shop.example.com"));
    expect(corsOf(await api.submit(form.id, { email: "no" }, from("null")))).toEqual(any("null"));
    expect(corsOf(await api.submit("form_none", { email: "no" }))).toEqual(any("*"));
    const preflight = await ask(`/api/forms/${form.id}/submit`, "OPTIONS");
    expect([preflight.status, corsOf(preflight)]).toEqual([204, any("https://shop.example.com")]);
  });

  test("nothing else of the service has CORS headers", async () => {
    for (const [path, method] of [
      ["/api/v1/forms", "GET"],
      ["/api/v1/forms", "OPTIONS"],
      ["/api/v1/contacts", "POST"],
      [`/forms/${form.id}`, "GET"],
      [`/forms/${form.id}/embed.js`, "GET"],
      ["/health", "GET"],
      ["/nothing", "OPTIONS"],
    ] as const)
      expect([path, method, corsOf(await ask(path, method))]).toEqual([path, method, {}]);
  });

  test("with allowed origins a browser on another site is refused; programs and our own pages are not", async () => {
    const allowedOrigins = ["https://shop.example.com"];
    await api.services.workspaces.changeSettings(api.workspaceId, { allowedOrigins });
    const closed = {
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "*",
      vary: "Origin",
    };
    const own = { ...closed, "access-control-allow-origin": "https://shop.example.com" };
    const good = await api.submit(form.id, { email: "own@example.com" }, from("https://shop.example.com"));
    expect([good.status, corsOf(good)]).toEqual([200, own]);
    for (const origin of [
      "https://evil.example",
      "http://shop.example.com",
      "https://shop.example.com:444",
      "null",
    ]) {
      const bad = await api.submit(form.id, { email: "evil@example.com" }, from(origin));
      expect([origin, bad.status, corsOf(bad)]).toEqual([origin, 403, closed]);
      expect(
        corsOf(await ask(`/api/forms/${form.id}/submit`, "OPTIONS", origin))["access-control-allow-origin"],
      ).toBeUndefined();
    }
    expect(await contactOf(api, "evil@example.com")).toBeNull();
    expect((await api.submit(form.id, { email: "program@example.com" })).status).toBe(200);
    expect((await api.submit(form.id, { email: "hosted@example.com" }, from(api.url))).status).toBe(200);
    expect(
      (await api.submit(form.id, { email: "hosted@example.com" }, from("https://mail.example.org"))).status,
    ).toBe(200);
    await api.services.workspaces.changeSettings(api.workspaceId, { allowedOrigins: [] });
  });
});
