import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace } from "../../support/server/api.ts";
import { SENDER, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { sendState } from "../../support/sending/sending-state.ts";
import { lastMail, postBody } from "../../support/server/transactional.ts";

let service: SendingApi;
let api: SendingApi;
beforeAll(async () => {
  service = await startSending();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
});
afterAll(() => service.stop());

const RECEIPT = {
  name: "Receipt",
  subject: "Order {{ order }}",
  body: '<p>Thank you, {{ name }}.</p><p><a href="https://example.org/{{ order }}">Your order</a></p>',
};
const MJML =
  "<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ name }}</mj-text>" +
  '<mj-button href="https://example.org/?o={{ order }}">Look</mj-button></mj-column></mj-section></mj-body></mjml>';

const template = async (fields: object = {}): Promise<string> =>
  (await api.call("POST", "/templates", { ...RECEIPT, ...fields })).body.data.id;
const send = (fields: object, key?: string) =>
  postBody(api, { to: "ada@example.com", ...fields }, key === undefined ? {} : { "idempotency-key": key });
const VARIABLES = { name: "Ada", order: 1843 };

describe("a message of a template", () => {
  test("has its subject and its body, filled in", async () => {
    const templateId = await template();
    expect((await send({ templateId, variables: VARIABLES })).status).toBe(200);
    const { mail } = await lastMail(api);
    expect(mail.subject).toBe("Order 1843");
    expect(mail.html?.trim()).toBe(
      '<p>Thank you, Ada.</p><p><a href="https://example.org/1843">Your order</a></p>',
    );
    expect(mail.text).toContain("Your order [https://example.org/1843]");
  });

  test("is filled in without variables too: unknown names are empty", async () => {
    expect((await send({ templateId: await template() })).status).toBe(200);
    const { mail } = await lastMail(api);
    expect([mail.subject, mail.html?.includes("Thank you, .")]).toEqual(["Order", true]);
  });

  test("is compiled from MJML, and values never reach the compiler", async () => {
    const templateId = await template({ format: "mjml", body: MJML });
    const name = "</mj-text><mj-raw>Ada & Co</mj-raw>";
    expect((await send({ templateId, variables: { name, order: "1&x=2" } })).status).toBe(200);
    const { mail } = await lastMail(api);
    expect(mail.html).toContain("Dear &lt;/mj-text&gt;&lt;mj-raw&gt;Ada &amp; Co&lt;/mj-raw&gt;");
    expect(mail.html).toContain('href="https://example.org/?o=1&amp;x=2"');
    expect(mail.html).not.toContain("mj-button");
  });

  test("is what the template says when it is sent, not what it said before", async () => {
    const templateId = await template({ format: "mjml", body: MJML });
    await send({ templateId, variables: VARIABLES });
    await api.call("PATCH", `/templates/${templateId}`, { body: MJML.replace("Dear", "Hello") });
    await send({ templateId, variables: VARIABLES });
    expect((await lastMail(api)).mail.html).toContain("Hello Ada");
    await api.call("PATCH", `/templates/${templateId}`, { format: "html", body: "<b>{{ name }}</b>" });
    await send({ templateId, variables: VARIABLES });
    expect((await lastMail(api)).mail.html?.trim()).toBe("<b>Ada</b>");
  });

  test("holds values that are markup, Liquid or several lines, and they stay values", async () => {
    const name = '<img src=x onerror="1">{{ order }}{% raw %}';
    const order = "1\r\nBcc: eve@example.com";
    expect((await send({ templateId: await template(), variables: { name, order } })).status).toBe(200);
    const { raw, mail } = await lastMail(api);
    expect(mail.html).toContain("&lt;img src=x onerror=&quot;1&quot;&gt;{{ order }}{% raw %}");
    expect(mail.subject).toBe("Order 1 Bcc: eve@example.com");
    expect(raw.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m);
  });

  test("may need a thread to be filled in", async () => {
    const body = "{% for i in (1..300) %}{% for j in (1..300) %}{{ name }}{% endfor %}{% endfor %}";
    expect((await send({ templateId: await template({ body }), variables: { name: "." } })).status).toBe(200);
    expect((await lastMail(api)).mail.html?.trim()).toBe(".".repeat(90_000));
  });
});

describe("what the request says itself wins", () => {
  test.each([
    ["a subject", { subject: "Mine" }, "Mine", "Thank you, Ada", "Thank you, Ada"],
    ["html", { html: "<i>Mine, {{ name }}</i>" }, "Order 1843", "<i>Mine, Ada</i>", "Mine, Ada"],
    ["body", { body: "<i>Mine</i>" }, "Order 1843", "<i>Mine</i>", "Mine"],
    ["mjml", { mjml: MJML }, "Order 1843", "Dear Ada", "Dear Ada"],
    ["text", { text: "Mine, {{ name }}" }, "Order 1843", "<p>Thank you, Ada.</p>", "Mine, Ada"],
    ["all of it", { subject: "S {{ order }}", html: "<b>H</b>", text: "T" }, "S 1843", "<b>H</b>", "T"],
    ["nothing", { subject: null, html: "", text: null }, "Order 1843", "Thank you, Ada", "Thank you, Ada"],
  ])("%s", async (_what, own, subject, html, text) => {
    const answer = await send({ templateId: await template(), variables: VARIABLES, ...own });
    expect(answer.status).toBe(200);
    const { mail } = await lastMail(api);
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(html);
    expect(mail.text).toContain(text);
  });

  test("and is sent as written where no variables are given, as without a template", async () => {
    await send({ templateId: await template(), text: "{{ name }}" });
    expect((await lastMail(api)).mail.text?.trim()).toBe("{{ name }}");
  });
});

describe("what cannot be sent is refused, and nothing is written", () => {
  const refused = async (fields: object, status: number, words: string, key?: string) => {
    const before = sendState(api);
    const answer = await send(fields, key);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(words)]);
    expect(sendState(api)).toEqual(before);
    return answer;
  };

  test("a template that is not there: 404, before what keeps the workspace from sending", async () => {
    await api.services.workspaces.changeSettings(api.workspaceId, { suspended: true });
    await refused({ templateId: "missing" }, 404, "missing");
    await refused({ templateId: await template() }, 403, "suspended");
  });

  test("but a body that is wrong comes first", async () => {
    await refused({ templateId: "missing", to: [] }, 422, "`to`");
    await refused({ templateId: 7 }, 422, "`templateId`");
  });

  test.each([
    ["Liquid", "html", "<p>Dear</p>\n<p>{% nope %}</p>", "line 2, column 4"],
    ["Liquid in MJML", "mjml", MJML.replace("Dear", "\n\n{{ name | nope }}"), "line 3"],
    ["Liquid that MJML drops", "mjml", `{% assign a = name %}\n${MJML}`, "line 1, column 1: Liquid"],
    ["MJML", "mjml", "<mjml>\n<mj-body>\n<mj-nope /></mj-body></mjml>", "line 3"],
  ])("%s that does not compile: 422, with its place", async (_what, format, body, place) => {
    const templateId = await template({ format, body });
    const answer = await refused({ templateId, variables: VARIABLES }, 422, place);
    expect(answer.body.error.message).toContain(templateId);
  });

  test("MJML whose format is HTML: 422, as the campaign of the same letter", async () => {
    const templateId = await template({ format: "html", body: MJML });
    await refused({ templateId, variables: VARIABLES }, 422, "it is MJML, but its format is HTML");
    await api.call("PATCH", `/templates/${templateId}`, { format: "mjml" });
    expect((await send({ templateId, variables: VARIABLES })).status).toBe(200);
  });

  test("a subject that comes out empty: 422", async () => {
    await refused({ templateId: await template({ subject: "{{ order }}" }) }, 422, "`subject` is empty");
  });

  test("a refused key is free again", async () => {
    const templateId = await template({ body: "{% nope %}" });
    await refused({ templateId: "missing" }, 404, "missing", "k");
    await refused({ templateId }, 422, "nope", "k");
    await api.call("PATCH", `/templates/${templateId}`, { body: "<p>Right</p>" });
    expect((await send({ templateId }, "k")).status).toBe(200);
  });
});

describe("an Idempotency-Key", () => {
  test("gives the first answer again, whatever became of the template", async () => {
    const templateId = await template();
    const first = await send({ templateId, variables: VARIABLES }, "k");
    const sent = api.relay.accepted.length;
    await api.call("PATCH", `/templates/${templateId}`, { body: "<p>Other</p>" });
    const changed = await send({ templateId, variables: VARIABLES }, "k");
    await api.call("DELETE", `/templates/${templateId}`);
    const gone = await send({ templateId, variables: VARIABLES }, "k");
    for (const again of [changed, gone])
      expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([
        200,
        first.body,
        "true",
      ]);
    expect(api.relay.accepted).toHaveLength(sent);
  });

  test("is a conflict with other variables, or with another template", async () => {
    const [templateId, other] = [await template(), await template()];
    await send({ templateId, variables: VARIABLES }, "k");
    const sent = api.relay.accepted.length;
    for (const body of [
      { templateId, variables: { ...VARIABLES, name: "Eve" } },
      { templateId },
      { templateId: other, variables: VARIABLES },
    ])
      expect((await send(body, "k")).status).toBe(409);
    expect(api.relay.accepted).toHaveLength(sent);
  });
});
