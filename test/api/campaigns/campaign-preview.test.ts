import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { person } from "../../support/people/people.ts";
import { rowsFrom } from "../../support/server/services.ts";

let service: TestApi;
let api: TestApi;
beforeAll(async () => {
  service = await startApi();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
});
afterAll(() => service.stop());

const LETTER = { subject: "For {{ contact.firstName }}", body: "<p>Dear {{ contact.firstName }}</p>" };

async function campaign(fields: object = {}, options: object = {}): Promise<string> {
  const { id } = await newCampaign(api, { ...LETTER, ...fields });
  expect((await api.call("PATCH", `/campaigns/${id}/options`, options)).status).toBe(200);
  return id;
}
const preview = (id: string, body?: object) => api.call("POST", `/campaigns/${id}/preview`, body);
const shown = async (id: string, body?: object) => (await preview(id, body)).body.data;
const places = ({ problems }: any) =>
  problems.map(({ severity, line, column }: any) => `${severity} ${line}:${column}`);
const everything = () =>
  JSON.stringify(
    ["mailings", "deliveries", "activity_counts", "sending_usage"].map((table) =>
      rowsFrom(api, `SELECT * FROM ${table} ORDER BY 1, 2`),
    ),
  );

test("a preview is what this person would get; without one, an example person", async () => {
  const ada = await person(api, "ada@example.com", { firstName: "Ada" });
  const id = await campaign({}, { personalize: true, preheader: "Hi {{ contact.email }}" });
  const before = everything();
  const own = await shown(id, { contactId: ada.id });
  expect(own).toEqual({
    subject: "For Ada",
    preheader: "Hi ada@example.com",
    html: expect.stringContaining("<p>Dear Ada</p>"),
    text: expect.stringContaining("Dear Ada"),
    sizeBytes: expect.any(Number),
    problems: [],
  });
  expect(own.html).toContain("Unsubscribe");
  expect(own.sizeBytes).toBeGreaterThan(own.html.length);
  const example = await shown(id);
  expect([example.subject, example.preheader]).toEqual(["For Alex", "Hi alex@example.com"]);
  expect(everything()).toBe(before);
});

test("Preferences are offered where the workspace has public lists, as in a real send", async () => {
  const id = await campaign({}, { personalize: true });
  const offered = async () => {
    const { html, text } = await shown(id);
    return [/<a href="[^"]+\/p\/[^"]+"[^>]*>Preferences<\/a>/.test(html), /Preferences: \S+\/p\//.test(text)];
  };
  expect(await offered()).toEqual([false, false]);
  const { body } = await api.call("POST", "/lists", { name: "News" });
  expect(await offered()).toEqual([false, false]);
  await api.call("PATCH", `/lists/${body.data.id}/options`, { public: true });
  expect(await offered()).toEqual([true, true]);
});

test("a letter that is not personal is as it was written, and merge tags in it are warned of", async () => {
  const data = await shown(await campaign());
  expect([data.subject, data.html.includes("Dear {{ contact.firstName }}")]).toEqual([LETTER.subject, true]);
  expect(places(data)).toEqual(["warning null:null", "warning 1:9"]);
});

test("guardrails are not looked at: no sender, no address, suspended, no list", async () => {
  await api.services.workspaces.changeSettings(api.workspaceId, { suspended: true });
  const data = await shown(await campaign({ subject: "Hello", body: "<p>Hello</p>", listId: null }));
  expect([data.subject, data.problems]).toEqual(["Hello", []]);
});

test("its links lead where their author wrote, and it has no pixel", async () => {
  const id = await campaign({ subject: "Hello", body: '<a href="https://example.org/x">x</a>' });
  const { html } = await shown(id);
  expect(html).toContain('href="https://example.org/x"');
  expect(html).not.toContain("<img");
});

test.each([
  ["Liquid", { personalize: true }, { body: "<p>\n{{ a | nope }}</p>" }, "error 2:1"],
  ["the subject", { personalize: true }, { subject: "{% nope %}" }, "error null:null"],
  ["the preheader", { personalize: true, preheader: "a {% nope %}" }, {}, "error null:null"],
  ["the text", { personalize: true, text: "https://x.org\n{% nope %}" }, {}, "error null:null"],
  [
    "MJML",
    { format: "mjml" },
    { subject: "Hi", body: "<mjml><mj-body>\n  <mj-nope />\n</mj-body></mjml>" },
    "error 2:3",
  ],
  ["MJML as HTML", {}, { subject: "Hi", body: "<mjml><mj-body></mj-body></mjml>" }, "error null:null"],
])(
  "%s that does not compile is an error, in its place if it is in the body",
  async (_what, options, fields, place) => {
    const data = await shown(await campaign(fields, options));
    expect(places(data)).toEqual([place]);
    expect([data.html, data.text, data.sizeBytes]).toEqual(["", "", 0]);
  },
);

test("warnings are about what its author wrote, not about what is added", async () => {
  const body = '<img src="https://a.example">\n<a href="example.org">x</a><a href="http://10.0.0.1">y</a>';
  const data = await shown(await campaign({ subject: "x".repeat(151), body }, { text: "Hello" }));
  expect(places(data)).toEqual([
    "warning null:null",
    "warning 1:1",
    "warning 2:4",
    "warning 2:31",
    "warning null:null",
  ]);
  const large = await shown(await campaign({ subject: "Hi", body: "<p>Hello</p>".repeat(9_000) }));
  expect(places(large)).toEqual(["warning null:null"]);
});

test("a name that no campaign fills in is a warning, in MJML too", async () => {
  const known =
    "{{ contact.email }}{{ contact.attributes.plan }}{{ campaign.name }}{{ unsubscribeUrl }}{{ webVersionUrl }}";
  const body = `<mjml><mj-body><mj-section><mj-column><mj-text>${known}\n<a href="{{ unsubscribe }}">x</a></mj-text></mj-column></mj-section></mj-body></mjml>`;
  const data = await shown(
    await campaign({ subject: "For {{ contact.FIRSTNAME }}", body }, { personalize: true, format: "mjml" }),
  );
  expect(places(data)).toEqual(["warning null:null", "warning 2:13"]);
  expect(data.problems[0].message).toContain("Did you mean contact.firstName?");
});

test("what Gmail cuts off is measured with the links and the pixel that a send adds", async () => {
  const links = Array.from({ length: 900 }, (_, index) => `<a href="https://x.org/${index}">x</a>`).join("");
  const body = `<p>${"x".repeat(50 * 1024)}</p>${links}`;
  const tracked = await campaign({ subject: "Hi", body });
  const { html, problems } = await shown(tracked);
  expect(Buffer.byteLength(html)).toBeLessThan(90 * 1024);
  expect(problems).toEqual([
    { severity: "warning", message: expect.stringMatching(/Gmail/), line: null, column: null },
  ]);
  const untracked = await campaign({ subject: "Hi", body }, { trackClicks: false });
  expect((await shown(untracked)).problems).toEqual([]);
});

test("a contact or a campaign that is not there is 404, and a key that reads may not post", async () => {
  const id = await campaign();
  const other = await inNewWorkspace(service);
  const theirs = await person(other, "ada@example.com");
  for (const contactId of ["missing", theirs.id]) expect((await preview(id, { contactId })).status).toBe(404);
  expect((await preview("missing", { contactId: 7 })).status).toBe(404);
  expect((await preview(id, { contactId: 7 })).status).toBe(422);
  const { key } = (await api.call("POST", "/keys", { scope: "read" })).body.data;
  expect((await api.call("POST", `/campaigns/${id}/preview`, {}, key)).status).toBe(403);
});
