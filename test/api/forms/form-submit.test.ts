import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#core/time/time.ts";
import {
  freshIp,
  type Body,
  membersOf,
  json,
  newForm,
  startForms,
  type FormsApi,
} from "../../support/people/forms.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { consentLog, contactOf, person, suppressions } from "../../support/people/people.ts";
import { costMs } from "../../support/common/cpu-time.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms();
  form = await newForm(api);
});
afterAll(() => api.stop());

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

  test.each<[string, Body, Record<string, string>, string]>([
    [
      "compressed",
      new Blob([Bun.gzipSync('{"email":"odd@example.com"}')]),
      { "Content-Encoding": "gzip" },
      "compressed",
    ],
    [
      "in other letters than UTF-8",
      new Blob([Buffer.from('{"email":"odd@example.com","firstName":"Andr\xe9"}', "latin1")]),
      {},
      "UTF-8",
    ],
  ])("as JSON %s is refused with the reason, and nothing is written", async (_, body, headers, reason) => {
    const response = await api.submit(form.id, {}, { body, headers });
    expect(await json(response)).toEqual([400, { error: expect.stringContaining(reason) }]);
    expect(await contactOf(api, "odd@example.com")).toBeNull();
  });

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
      const [entry] = await Array.fromAsync(api.services.contacts.consentLog(api.workspaceId));
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
    expect(textOf(await readPage(answer, [], "*"))).toContain("Thanks! You're subscribed.");
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
      const page = await readPage(answer, [], "*");
      // Whoever reads that the form does not exist is not sent back to it.
      expect(page.includes("go back to the form")).toBe(status === 400);
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
