/**
 * A person who comes from another service is told the name of a field here. Otherwise they would believe that
 * it did something.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { FOREIGN_PAGING, foreignTo, isPaged, refuseForeign } from "#http/foreign-names.ts";
import type { Route } from "#http/routes/route.ts";
import { BASE_URL, type Answer } from "../../support/server/api.ts";
import { imported, upload } from "../../support/people/imports.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { listOf, person } from "../../support/people/people.ts";
import { signedIn, type Person } from "../../support/server/signed-in.ts";
import { unlockedBackup } from "../../support/server/backups.ts";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { rowsFrom, isPostgres } from "../../support/server/services.ts";

let api: SendingApi;
let owner: Person;
let paths: (route: Pick<Route, "path">) => string;
beforeAll(async () => {
  api = await startSending();
  const ada = await person(api, "ada@example.com");
  const list = await listOf(api, "Newsletter", [ada.id]);
  const ids: Record<string, string> = {
    contacts: ada.id,
    lists: list,
    campaigns: (await newCampaign(api, { listId: list })).id,
    automations: (await api.call("POST", "/automations", {})).body.data.id,
    imports: (await imported(api, "email\nx\n", { status: "PENDING" })).id,
    forms: (await api.call("POST", "/forms", { name: "Stay in touch" })).body.data.id,
  };
  const letter = { name: "Receipt", subject: "Thanks", body: "<p>Thanks</p>" };
  ids["templates"] = (await api.call("POST", "/templates", letter)).body.data.id;
  const rules = { field: "tag", op: "equals", value: "vip" };
  ids["segments"] = (await api.call("POST", "/segments", { name: "Readers", rules })).body.data.id;
  const webhook = { url: "https://example.com/hook", events: ["*"] };
  ids["webhooks"] = (await api.call("POST", "/webhooks", webhook)).body.data.id;
  owner = await signedIn(api);
  ids["users"] = (await owner.call("GET", "/session")).body.data.user.id;
  if (!isPostgres) ids["backups"] = await unlockedBackup(owner, owner.password);
  paths = ({ path }) => path.replace(":id", ids[/([a-z-]+)\/:id/.exec(path)?.[1] ?? ""] ?? "");
});
afterAll(() => api.stop());

const refusalIn = ({ status, body }: Answer) => [status, body.error?.code, body.error?.message];
const refusalOf = async (method: string, path: string, body?: unknown) =>
  refusalIn(await api.call(method, path, body));
const refused = (message: string) => [422, "VALIDATION_ERROR", message];

/** `sendAt` as others write it. */
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const everything = () =>
  JSON.stringify(
    rowsFrom(
      api,
      "SELECT (SELECT count(*) FROM contacts) AS c, (SELECT count(*) FROM lists) AS l, (SELECT count(*) FROM campaigns) AS m, (SELECT count(*) FROM api_keys) AS k, (SELECT count(*) FROM events) AS e",
    ),
  );

describe("what another service calls it", () => {
  test.each([
    [
      "POST",
      "/send",
      { cc: "a@example.com" },
      "There is no `cc`: put every address into `to`; each gets a message of its own.",
    ],
    [
      "POST",
      "/send",
      { bcc: ["a@example.com"] },
      "There is no `bcc`: put every address into `to`; each gets a message of its own.",
    ],
    ["POST", "/send", { sendAt: 1 }, "There is no `sendAt`: it is sent at once; call when it is time."],
    ["POST", "/send", { send_at: 1 }, "There is no `send_at`: it is sent at once; call when it is time."],
    [
      "POST",
      "/send",
      { template: "x" },
      "There is no `template`: name a template by its id, as `templateId`.",
    ],
    ["POST", "/send", { reply_to: "a@example.com" }, "There is no `reply_to`: it is called `replyTo`."],
    [
      "POST",
      "/send",
      { to: [{ email: "ada@example.com" }, { email: "b@example.com", type: "bcc" }] },
      "There is no `type` in `to`: everybody gets a message of their own, as its only recipient.",
    ],
    [
      "POST",
      "/send",
      { attachments: [{ filename: "a.png", content: "YQ==", content_id: "logo" }] },
      "There is no `content_id` in `attachments`: files are attached and not shown inside the HTML: link to images there.",
    ],
    [
      "POST",
      "/contacts",
      { email: "new@example.com", first_name: "Ada" },
      "There is no `first_name`: it is called `firstName`.",
    ],
    ["POST", "/contacts", { Email: "new@example.com" }, "There is no `Email`: it is called `email`."],
    [
      "GET",
      "/contacts?page=2",
      undefined,
      "There is no `page`: pass the `nextCursor` of one page as `after` of the next.",
    ],
    ["GET", "/contacts?sort=email", undefined, "There is no `sort`: lists are newest first."],
    ["GET", "/contacts?email=ada@example.com", undefined, "There is no `email`: search with `q`."],
    ["GET", "/lists?per_page=50", undefined, "There is no `per_page`: it is called `limit`."],
    ["GET", "/contacts?page[size]=5", undefined, 'There is no "page[size]": it is called `limit`.'],
    ["GET", "/forms?q=x", undefined, "There is no `q`: this list cannot be searched."],
    [
      "POST",
      "/events",
      { name: "x", email: "ada@example.com", createdAt: "2026-01-01T00:00:00Z" },
      "There is no `createdAt`: an event is recorded as of now; put another time into `properties`.",
    ],
    ["GET", "/events?contact_id=x", undefined, "There is no `contact_id`: it is called `contactId`."],
    [
      "GET",
      "/contacts?segment_id=x",
      undefined,
      "There is no `segment_id`: ask `GET /segments/{id}/contacts`.",
    ],
    [
      "POST",
      "/contacts",
      { email: "new@example.com", segments: ["x"] },
      "There is no `segments`: a segment finds its contacts by rules: nobody is added to it.",
    ],
    [
      "POST",
      "/campaigns/:id/send",
      { testEmails: ["ada@example.com"] },
      "There is no `testEmails`: send a test with `POST /campaigns/{id}/test`.",
    ],
    [
      "POST",
      "/campaigns/:id/send",
      { dryRun: true },
      "There is no `dryRun`: `POST /campaigns/{id}/check` says how many would get it, and sends nothing.",
    ],
  ])("%s %s %j", async (method, path, fields, message) => {
    const body =
      path === "/send" ? { to: "ada@example.com", subject: "Hello", text: "Hello", ...fields } : fields;
    const before = everything();
    const mailed = api.relay.accepted.length;
    expect(await refusalOf(method, paths({ path }), body)).toEqual(refused(message));
    expect([everything(), api.relay.accepted.length]).toEqual([before, mailed]);
  });

  /** Asked by whom the route is for. */
  async function refusalOn(route: Route, body: Record<string, string>) {
    const { method, upload: file, access } = route;
    if (file) return refusalIn(await upload(api, paths(route), "email\n", body));
    if (access === "person") return refusalIn(await owner.call(method, paths(route), body));
    return await refusalOf(method, paths(route), body);
  }

  test("is refused on every route that lists it, in every spelling, and nothing happens", async () => {
    const before = everything();
    const mailed = api.relay.accepted.length;
    let asked = 0;
    for (const route of api.routes) {
      // PostgreSQL's are not made here, so there is none to ask about.
      if (isPostgres && route.path.startsWith("/backups/")) continue;
      if (route.body) {
        const names = foreignTo(route.body.properties, route.foreign?.body ?? {});
        expect([route.method, route.path, names.length > 5]).toEqual([route.method, route.path, true]);
        for (const name of names.flatMap((each) => [each, snake(each)])) {
          const [status, , message] = await refusalOn(route, { [name]: "x" });
          expect([route.path, name, status, message]).toEqual([
            route.path,
            name,
            422,
            expect.stringContaining(`There is no \`${name}\`: `),
          ]);
          asked++;
        }
      }
      if (route.query) {
        for (const name of foreignTo(route.query.properties, {
          ...(isPaged(route.query) ? FOREIGN_PAGING : {}),
          ...route.foreign?.query,
        })) {
          const [status, , message] = await refusalOf(route.method, `${paths(route)}?${name}=1`);
          expect([route.path, name, status, message]).toEqual([
            route.path,
            name,
            422,
            expect.stringContaining(`There is no \`${name}\`: `),
          ]);
          asked++;
        }
      }
    }
    expect(asked).toBeGreaterThan(500);
    expect([everything(), api.relay.accepted.length]).toEqual([before, mailed]);
  });

  test("is also a filter that only other lists of contacts have", async () => {
    const list = await listOf(api, "Without tags", []);
    const says =
      "There is no `tag`: this list has no filter by tags; the rules of a segment may name lists and tags.";
    expect(await refusalOf("GET", `/lists/${list}/contacts?tag=vip`)).toEqual(refused(says));
    expect(await refusalOf("GET", "/contacts?tag=vip")).toEqual([200, undefined, undefined]);
  });

  test("comes after the resource in the path: what is not there is 404", async () => {
    expect((await refusalOf("PATCH", "/contacts/nobody", { first_name: "x" }))[0]).toBe(404);
    expect((await refusalOf("GET", "/lists/nothing/contacts?page=2"))[0]).toBe(404);
  });

  test("is named in the document, beside the route", () => {
    const { paths: documented } = apiDocument(BASE_URL);
    expect(documented["/api/v1/send"]!["post"]!.description).toContain("`cc`, `bcc`, ");
    expect(documented["/api/v1/contacts"]!["get"]!.description).toContain("`page`, ");
  });

  const everyAdvice = (): [name: string, advice: string][] =>
    api.routes.flatMap(({ foreign = {} }) => {
      const inside = Object.values(foreign.inside ?? {}).map(({ names }) => names);
      return [foreign.body ?? {}, foreign.query ?? {}, ...inside].flatMap((table) => Object.entries(table));
    });

  test("is written so that it makes a sentence", () => {
    for (const [name, advice] of everyAdvice()) {
      expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect([name, /^[a-z`A-Z].*[^.]$/.test(advice)]).toEqual([name, true]);
    }
  });

  test("leads only to routes that exist", () => {
    const { paths: documented } = apiDocument(BASE_URL);
    const named = everyAdvice().flatMap(([, advice]) => [...advice.matchAll(/`([A-Z]+) (\/[^`]*)`/g)]);
    const missing = named.filter(
      ([, method = "", path = ""]) => !documented[`/api/v1${path}`]?.[method.toLowerCase()],
    );
    expect(named.length).toBeGreaterThan(20);
    expect(missing.map(([route]) => route)).toEqual([]);
  });
});

test("whoever left elsewhere is not added by JSON that says so, one by one or many at once", async () => {
  for (const field of ["subscribed_to_emails", "unsubscribed_at", "hasOptedOutOfEmail", "hard_bounced"]) {
    const one = { email: "left@example.com", [field]: "x" };
    const { status, body } = await api.call("POST", "/contacts", one);
    expect([status, body.error?.message]).toEqual([
      422,
      expect.stringContaining(`There is no \`${field}\`: `),
    ]);
    const many = await api.call("POST", "/contacts/bulk", { contacts: [one] });
    expect(many.body.data.results).toMatchObject([{ outcome: "FAILED" }]);
  }
});

describe("not refused is", () => {
  test("what asks for nothing: null, an empty text, list or object", async () => {
    const empty = { cc: [], bcc: null, template: "", templateData: {} };
    const sent = await api.call("POST", "/send", {
      to: "ada@example.com",
      subject: "Hello",
      text: "Hello",
      ...empty,
    });
    expect([sent.status, sent.body.data.sent]).toEqual([200, 1]);
    expect((await api.call("GET", "/contacts?page=&sort=")).status).toBe(200);
  });

  test("what nobody knows, and the objects of our own answers sent back", async () => {
    for (const route of api.routes.filter(
      // Settings take no name that is none, and not those of the operator (test/api/settings/settings-refused.test.ts).
      ({ method, path }) => method === "PATCH" && path !== "/forms/:id" && path !== "/settings",
    )) {
      const shown = (await api.call("GET", paths(route))).body.data;
      const answer = await api.call("PATCH", paths(route), { ...shown, status: undefined, nonsense: 1 });
      expect([route.path, answer.status]).toEqual([route.path, 200]);
    }
    expect((await api.call("GET", "/contacts?nonsense=1&utm_source=x")).status).toBe(200);
  });

  test("what stands inside `variables`, `properties`, `style` and `flowJson`: it is the caller's own", async () => {
    const own = { cc: 1, page: 2, first_name: "Ada" };
    expect(
      (await api.call("POST", "/events", { name: "x", email: "ada@example.com", properties: own })).status,
    ).toBe(201);
    expect(
      (await api.call("POST", "/send", { to: "ada@example.com", subject: "x", text: "x", variables: own }))
        .status,
    ).toBe(200);
  });

  test("what a route documents, even where a table still has it", () => {
    const table = { templateId: "send `html`" };
    expect(() => refuseForeign({ templateId: {} }, table, { templateId: "x" })).not.toThrow();
    expect(() => refuseForeign({ html: {} }, table, { templateId: "x" })).toThrow(
      "There is no `templateId`: send `html`.",
    );
  });
});

test("a body of a hundred thousand members is looked at no longer than one of a thousand", () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1]));
  expect(() => refuseForeign({}, { cc: "no" }, { ...many, cc: 1 })).not.toThrow();
  expect(() => refuseForeign({}, { cc: "no" }, { cc: 1, ...many })).toThrow();
});
