import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const clock = manualClock();
let service: TestApi;
let api: TestApi;
beforeAll(async () => {
  service = await startApi({ clock });
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
});
afterAll(() => service.stop());

const RECEIPT = { name: "Receipt", subject: "Order {{ order }}", body: "<p>Thank you, {{ name }}.</p>" };
const create = (fields: object = {}) => api.call("POST", "/templates", { ...RECEIPT, ...fields });
const made = async (fields: object = {}) => (await create(fields)).body.data;

describe("a template", () => {
  test("is shown without its body, except where it is asked for alone", async () => {
    const { status, body } = await create({ name: "  Receipt\n" });
    expect(status).toBe(201);
    const template = body.data;
    expect(template).toEqual({
      id: expect.stringMatching(/^tpl_/),
      name: "Receipt",
      subject: RECEIPT.subject,
      format: "html",
      createdAt: new Date(clock.now()).toISOString(),
      updatedAt: new Date(clock.now()).toISOString(),
    });
    expect((await api.call("GET", "/templates")).body.data).toEqual([template]);
    expect((await api.call("GET", `/templates/${template.id}`)).body.data).toEqual({
      ...template,
      body: RECEIPT.body,
    });
  });

  test("is changed field by field, and its time moves only with it", async () => {
    const template = await made();
    clock.advance(1_000);
    for (const nothing of [{}, "no json", { name: null, subject: null, format: null, body: null }, RECEIPT])
      expect((await api.call("PATCH", `/templates/${template.id}`, nothing)).body.data).toEqual(template);
    const later = new Date(clock.now()).toISOString();
    const change = { format: "mjml", body: "<mjml></mjml>" };
    const changed = await api.call("PATCH", `/templates/${template.id}`, change);
    expect(changed.body.data).toEqual({ ...template, format: "mjml", updatedAt: later });
    expect((await api.call("GET", `/templates/${template.id}`)).body.data).toEqual({
      ...changed.body.data,
      body: "<mjml></mjml>",
    });
  });

  test("is deleted once", async () => {
    const { id } = await made();
    const other = await made({ name: "Other" });
    expect((await api.call("DELETE", `/templates/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE", "PATCH"])
      expect([method, (await api.call(method, `/templates/${id}`)).status]).toEqual([method, 404]);
    expect((await api.call("GET", "/templates")).body).toMatchObject({
      data: [other],
      pagination: { total: 1 },
    });
  });

  test("may hold what does not compile: a draft is not lost", async () => {
    expect((await create({ subject: "{% if", body: "{{ unclosed" })).status).toBe(201);
    expect((await create({ format: "mjml", body: "no MJML" })).status).toBe(201);
  });

  test("is kept as it was written, byte for byte", async () => {
    const body = "\r\n <p title='a\"b'>ÄÖ\u{1F600}\t</p>\r\n\r\n";
    const { id } = await made({ body });
    expect((await api.call("GET", `/templates/${id}`)).body.data.body).toBe(body);
  });
});

test("templates come newest first, a page at a time, and none twice", async () => {
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await made({ name: `No ${i}` })).id);
  const first = (await api.call("GET", "/templates?limit=3")).body;
  expect(first.pagination).toMatchObject({ total: 5, limit: 3, hasMore: true });
  const second = (await api.call("GET", `/templates?limit=3&after=${first.pagination.nextCursor}`)).body;
  expect([...first.data, ...second.data].map(({ id }: any) => id)).toEqual(ids);
  expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
});

describe("what is refused names the field, and nothing is written", () => {
  const long = (characters: number) => "ä".repeat(characters);
  test.each([
    ["name", "missing", undefined],
    ["name", "blank", " "],
    ["name", "two lines", "two\nlines"],
    ["name", "too long", long(201)],
    ["name", "a number", 7],
    ["subject", "missing", undefined],
    ["subject", "empty", ""],
    ["subject", "a control character", "a\u0000b"],
    ["subject", "too long", long(999)],
    ["format", "none of ours", "text"],
    ["format", "capitals", "MJML"],
    ["body", "missing", undefined],
    ["body", "blank", " \n"],
    ["body", "too long", "x".repeat(524_289)],
    ["body", "too many bytes", long(262_145)],
    ["body", "an object", {}],
  ])("%s: %s", async (field, _what, value) => {
    const answer = await create({ [field]: value });
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(`\`${field}\``);
    const { id } = await made();
    const before = (await api.call("GET", `/templates/${id}`)).body;
    if (value !== undefined) {
      const changed = await api.call("PATCH", `/templates/${id}`, { name: "New", [field]: value });
      expect([changed.status, changed.body.error.message.includes(`\`${field}\``)]).toEqual([422, true]);
    }
    expect((await api.call("GET", `/templates/${id}`)).body).toEqual(before);
    expect((await api.call("GET", "/templates")).body.pagination.total).toBe(1);
  });

  test("but what just fits is taken", async () => {
    const fits = { name: long(200), subject: long(998), body: "x".repeat(524_288) };
    expect((await create(fits)).status).toBe(201);
    expect((await create({ body: long(262_144) })).status).toBe(201);
  });

  test("a template that is not there comes before its body", async () => {
    expect((await api.call("PATCH", "/templates/missing", { name: "" })).status).toBe(404);
  });
});
