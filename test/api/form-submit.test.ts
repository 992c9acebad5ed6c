import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  contactOf,
  freshIp,
  type Body,
  membersOf,
  MINUTE_MS,
  newForm,
  startForms,
  type FormsApi,
} from "../support/forms.ts";
import { readPage, textOf } from "../support/page-checks.ts";
import { consentLog, person, suppressions } from "../support/people.ts";
import { costMs } from "../support/cpu-time.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms();
  form = await newForm(api);
});
afterAll(() => api.stop());

const json = async (response: Response): Promise<[status: number, body: any]> => [
  response.status,
  await response.json(),
];
const THANKS = { ok: true, message: "Thanks! You're subscribed." };

describe("a submission", () => {
  const fields = (email: string) => ({ email, firstName: "Ada", lastName: "Lovelace" });
  const multipart = (email: string) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields(email))) data.set(name, value);
    return data;
  };
  const encodings: Record<string, (email: string) => { body: Body; headers?: Record<string, string> }> = {
    "JSON with its type": (email) => ({
      body: JSON.stringify(fields(email)),
      headers: { "Content-Type": "application/json" },
    }),
    "JSON without one": (email) => ({ body: new Blob([JSON.stringify(fields(email))]) }),
    "JSON called urlencoded": (email) => ({
      body: JSON.stringify(fields(email)),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }),
    urlencoded: (email) => ({ body: new URLSearchParams(fields(email)) }),
    multipart: (email) => ({ body: multipart(email) }),
  };

  test.each(Object.keys(encodings))(
    "as %s subscribes, joins the list at once and is logged",
    async (name) => {
      const email = `ada-${name.replaceAll(/\W/g, "").toLowerCase()}@example.com`;
      const response = await api.submit(
        form.id,
        {},
        {
          headers: { "User-Agent": "Firefox" },
          ip: "192.0.2.7",
          ...encodings[name]!(` ${email.toUpperCase()} `),
        },
      );
      expect(await json(response)).toEqual([200, THANKS]);
      expect(await contactOf(api, email)).toMatchObject({
        email,
        firstName: "Ada",
        lastName: "Lovelace",
        tags: [],
        status: "SUBSCRIBED",
      });
      expect((await membersOf(api, form))[email]).toBe("SUBSCRIBED");
      const [entry] = await Array.fromAsync(api.services.contacts.consentLog(api.workspaceId, 1));
      expect(entry).toMatchObject({
        action: "GIVEN",
        source: "form",
        email,
        formId: form.id,
        clientAddress: "192.0.2.7",
      });
      expect(api.relay.accepted).toEqual([]);
      api.clock.shift(11 * MINUTE_MS);
    },
  );

  test("fills in names where given, never clears them, and leaves tags alone", async () => {
    await person(api, "grace@example.com", {
      firstName: "Grace",
      lastName: "Hopper",
      tags: ["navy"],
      status: "PENDING",
    });
    await api.submit(form.id, { email: "grace@example.com", firstName: "", lastName: "  Murray Hopper " });
    expect(await contactOf(api, "grace@example.com")).toMatchObject({
      firstName: "Grace",
      lastName: "Murray Hopper",
      tags: ["navy"],
      status: "SUBSCRIBED",
    });
  });

  test("without a list subscribes all the same", async () => {
    const listless = await newForm(api, { listId: null });
    expect(await json(await api.submit(listless.id, { email: "linus@example.com" }))).toEqual([200, THANKS]);
    expect((await contactOf(api, "linus@example.com")).status).toBe("SUBSCRIBED");
  });

  test("answers with the form's own message", async () => {
    const danke = await newForm(api, { successMessage: "Danke, <b>Ada</b>!" });
    expect((await json(await api.submit(danke.id, { email: "a@example.com" })))[1]).toEqual({
      ok: true,
      message: "Danke, <b>Ada</b>!",
    });
  });

  test("leaves people who opted out or are suppressed as they are, and answers as ever", async () => {
    await person(api, "out@example.com", { status: "UNSUBSCRIBED" });
    await person(api, "manual@example.com");
    for (const [address, reason] of [
      ["manual@example.com", "MANUAL"],
      ["nobody@example.com", "COMPLAINT"],
    ] as const)
      await api.services.suppressions.add(api.workspaceId, address, reason);
    const before = [await suppressions(api), await consentLog(api), await membersOf(api, form)];
    for (const email of ["out@example.com", "manual@example.com", "nobody@example.com"])
      expect(await json(await api.submit(form.id, { email, firstName: "Mallory" }))).toEqual([200, THANKS]);
    expect((await contactOf(api, "out@example.com")).status).toBe("UNSUBSCRIBED");
    expect((await contactOf(api, "manual@example.com")).firstName).toBe("");
    expect(await contactOf(api, "nobody@example.com")).toBeNull();
    expect([await suppressions(api), await consentLog(api), await membersOf(api, form)]).toEqual(before);
  });

  test("of a bounced address is 400 in the contract's words", async () => {
    await person(api, "gone@example.com", { status: "BOUNCED" });
    await api.services.suppressions.add(api.workspaceId, "dead@example.com", "HARD_BOUNCE");
    for (const email of ["gone@example.com", "dead@example.com"])
      expect(await json(await api.submit(form.id, { email }))).toEqual([
        400,
        { error: "This email address cannot be re-subscribed." },
      ]);
  });

  test("of a blocked domain is 400, and writes nothing", async () => {
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    const [status, body] = await json(await api.submit(form.id, { email: "a@Blocked.example" }));
    expect([status, typeof body.error]).toEqual([400, "string"]);
    expect(await contactOf(api, "a@blocked.example")).toBeNull();
  });

  const BAD: readonly (readonly [name: string, body: Body | null, headers: Record<string, string>])[] = [
    ["nothing", null, {}],
    ["no address", "{}", {}],
    ["an address that is none", '{"email":"ada"}', {}],
    ["two addresses", '{"email":"ada@example.com, bob@example.com"}', {}],
    ["an address that is a number", '{"email":5}', {}],
    ["an address in an array", '{"email":["ada@example.com"]}', {}],
    ["a name that is an object", '{"email":"x1@example.com","firstName":{}}', {}],
    [
      "a name as long as a letter",
      JSON.stringify({ email: "x2@example.com", lastName: "x".repeat(201) }),
      {},
    ],
    ["broken JSON", '{"email":"x3@example.com"', {}],
    ["broken multipart", "--x\r\nnonsense", { "Content-Type": "multipart/form-data; boundary=x" }],
    ["multipart without a boundary", "x", { "Content-Type": "multipart/form-data" }],
    ["plain text", "email=x4@example.com", { "Content-Type": "text/plain" }],
    [
      "more fields than a form has",
      new URLSearchParams(
        Array.from({ length: 51 }, (_, i): [string, string] => [i ? `f${i}` : "email", "x5@example.com"]),
      ),
      {},
    ],
  ];
  test.each(BAD)("of %s is 400 with a plain string", async (_, body, headers) => {
    const answer = await fetch(`${api.url}/api/forms/${form.id}/submit`, {
      method: "POST",
      body,
      headers: { "X-Forwarded-For": freshIp(), ...headers },
    });
    expect(answer.status).toBe(400);
    const said: any = await answer.json();
    expect(Object.keys(said)).toEqual(["error"]);
    expect(said.error).toBeString();
  });

  test("to a form that is not there is 404 with a plain string", async () => {
    const [status, body] = await json(await api.submit("form_none", { email: "ada@example.com" }));
    expect([status, typeof body.error]).toEqual([404, "string"]);
  });
});

describe("a browser's own form post", () => {
  const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8" };
  const post = (id: string, fields: Record<string, string>) =>
    api.submit(id, {}, { body: new URLSearchParams(fields), headers: BROWSER });

  test("gets a small thank-you page", async () => {
    const answer = await post(form.id, { email: "html@example.com" });
    expect(answer.status).toBe(200);
    expect(textOf(await readPage(answer))).toContain("Thanks! You're subscribed.");
  });

  test("gets errors as a page with the same status", async () => {
    await person(api, "gone@example.com", { status: "BOUNCED" });
    for (const [id, fields, status] of [
      [form.id, { email: "nonsense" }, 400],
      [form.id, { email: "gone@example.com" }, 400],
      ["form_none", { email: "a@example.com" }, 404],
    ] as const) {
      const answer = await post(id, fields);
      expect(answer.status).toBe(status);
      await readPage(answer);
    }
  });

  test.each([
    [undefined, "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["application/json, text/html;q=0.9", "json"],
    ["text/html;q=0", "json"],
    ["text/html", "html"],
    ["TEXT/HTML;q=0.5, application/json;q=0.4", "html"],
  ])("is known by Accept: %s is %s", async (accept, kind) => {
    const answer = await api.submit(
      form.id,
      { email: "kind@example.com" },
      { headers: accept ? { Accept: accept } : {} },
    );
    expect(answer.headers.get("content-type")).toContain(kind);
  });
});

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
    const { sqlite } = api.services.database;
    const kept = sqlite.query<{ n: number }, [string]>(
      "SELECT count(*) AS n FROM form_submissions WHERE client = ?",
    );
    expect(kept.get(ip)!.n).toBe(5);
    api.clock.shift(11 * MINUTE_MS);
    expect(await status(freshIp())).toBe(200);
    expect(kept.get(ip)!.n).toBe(0);
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

test("I-16: a body full of fields, or a large one, is refused at once", async () => {
  const many = new URLSearchParams(
    Array.from({ length: 100_000 }, (_, i): [string, string] => [`k${i}`, "v"]),
  ).toString();
  const bodies = [many, JSON.stringify(Object.fromEntries(new URLSearchParams(many))), "x".repeat(1_000_000)];
  for (const body of bodies) {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const cost = await costMs(async () => {
      const answer = await api.submit(form.id, {}, { body, headers });
      expect([answer.status, typeof ((await answer.json()) as any).error]).toEqual([413, "string"]);
    });
    expect(cost).toBeLessThan(500);
  }
});
