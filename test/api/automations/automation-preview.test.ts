/** POST /automations/{id}/preview (docs/contract.md "Automations"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";
import { signedIn } from "../../support/server/signed-in.ts";
import { rowsFrom } from "../../support/server/services.ts";

let service: TestApi;
let api: TestApi;
let id: string;
beforeAll(async () => {
  service = await startApi();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
  id = (await api.call("POST", "/automations", { name: "Welcome" })).body.data.id;
  expect((await api.call("PATCH", `/automations/${id}`, { flowJson: FLOW })).status).toBe(200);
});
afterAll(() => service.stop());

const LETTER = {
  action: "send_email",
  subject: "Hello {{ contact.firstName }}",
  html: "<p>Dear {{ contact.firstName }}, {{ event.name }}you are {{ contact.status }}</p>",
};
const FLOW = {
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
    { id: "letter", type: "action", data: LETTER },
    { id: "tag", type: "action", data: { action: "add_tag", tag: "vip" } },
    { id: "out", type: "end", data: {} },
  ],
  edges: [
    { source: "in", target: "letter" },
    { source: "letter", target: "tag" },
    { source: "tag", target: "out" },
  ],
};

const preview = (body: object) => api.call("POST", `/automations/${id}/preview`, body);
const shown = async (body: object) => (await preview(body)).body.data;
const written = (): string =>
  JSON.stringify(
    ["mailings", "deliveries", "enrollments", "activity_counts"].map((table) =>
      rowsFrom(api, `SELECT * FROM ${table}`),
    ),
  );

test("shows the saved mail as this person would get it; without one, an example person", async () => {
  const ada = await person(api, "ada@example.com", { firstName: "Ada & Co" });
  const before = written();
  expect(await shown({ nodeId: "letter", contactId: ada.id })).toEqual({
    subject: "Hello Ada & Co",
    html: expect.stringContaining("<p>Dear Ada &amp; Co, you are SUBSCRIBED</p>"),
    text: expect.stringContaining("Dear Ada & Co, you are SUBSCRIBED"),
    sizeBytes: expect.any(Number),
    problems: [],
  });
  const example = await shown({ nodeId: "letter" });
  expect(example.subject).toBe("Hello Alex");
  expect(example.html).toContain("Unsubscribe");
  expect(written()).toBe(before);
});

test("shows what is being edited, also where it is not saved, in HTML and MJML", async () => {
  const data = {
    ...LETTER,
    html: undefined,
    mjml: "<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ contact.email }}</mj-text></mj-column></mj-section></mj-body></mjml>",
  };
  expect((await shown({ nodeId: "letter", data })).text).toContain("Hi alex@example.com");
  const fresh = { action: "send_email", subject: "New", html: "<p>Not saved yet</p>" };
  expect((await shown({ nodeId: "new", data: fresh })).html).toContain("Not saved yet");
  expect((await shown({ nodeId: "letter" })).subject).toBe("Hello Alex");
});

test("names what a run would fail of, with its place, and shows nothing then", async () => {
  const data = { ...LETTER, html: "<p>ok</p>\n<p>{% if contact.firstName %}</p>" };
  const broken = await shown({ nodeId: "letter", data });
  expect(broken).toMatchObject({ html: "", text: "", sizeBytes: 0, subject: LETTER.subject });
  expect(broken.problems).toMatchObject([{ severity: "error", line: 2 }]);
  const empty = await shown({ nodeId: "letter", data: { action: "send_email", subject: "Hi" } });
  expect(empty.problems).toMatchObject([{ severity: "error", message: "The mail has no text yet." }]);
  const mistake = await shown({ nodeId: "letter", data: { ...LETTER, mjml: "<mjml><mj-bo", html: "" } });
  expect(mistake.problems[0].severity).toBe("error");
});

describe("refuses", () => {
  test.each([
    [{}, "`nodeId` is missing"],
    [{ nodeId: 5 }, "`nodeId` is missing"],
    [{ nodeId: "none" }, "The flow has no node none"],
    [{ nodeId: "tag" }, "The node tag sends no mail"],
    [{ nodeId: "letter", data: [] }, "`data` must be an object"],
    [{ nodeId: "letter", contactId: 5 }, "`contactId` must be a text"],
    [{ nodeId: "letter", email: "ada@example.com" }, "name the person by `contactId`"],
  ])("%j", async (body, says) => {
    const { status, body: answer } = await preview(body);
    expect([status, answer.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.error.message).toContain(says);
  });

  test("an automation and a contact of another workspace", async () => {
    const other = await api.services.workspaces.create("Neighbours");
    const path = `/automations/${id}/preview`;
    expect((await api.call("POST", path, { nodeId: "letter" }, other.key)).status).toBe(404);
    expect((await preview({ nodeId: "letter", contactId: "ct_nobody" })).status).toBe(404);
    const theirs = await person(await inNewWorkspace(service), "grace@example.com");
    expect((await preview({ nodeId: "letter", contactId: theirs.id })).status).toBe(404);
  });
});

test("is reading: a viewer may, a key that only reads may not post", async () => {
  const viewer = await signedIn(api, "viewer", { workspaceId: api.workspaceId });
  expect((await viewer.call("POST", `/automations/${id}/preview`, { nodeId: "letter" })).status).toBe(200);
  const { key } = (await api.call("POST", "/keys", { name: "Reads", scope: "read" })).body.data;
  expect((await api.call("POST", `/automations/${id}/preview`, { nodeId: "letter" }, key)).status).toBe(403);
});
