import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { countRows, LETTER, newCampaign, newList, rowOf } from "../../support/sending/campaigns.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const FIELDS = ["createdAt", "id", "listId", "name", "scheduledAt", "sentAt", "stat", "status", "subject"];

describe("POST /campaigns", () => {
  test("makes a draft with exactly the documented fields, and sends nothing", async () => {
    const before = [countRows(api, "mailings"), countRows(api, "deliveries")];
    const { status, body } = await api.call("POST", "/campaigns", LETTER);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["data"]);
    expect(Object.keys(body.data).toSorted()).toEqual(FIELDS);
    expect(body.data).toMatchObject({ name: LETTER.name, subject: LETTER.subject, status: "DRAFT" });
    expect(body.data).toMatchObject({ listId: null, scheduledAt: null, sentAt: null, stat: null });
    expect(body.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([countRows(api, "mailings"), countRows(api, "deliveries")]).toEqual(before);
  });

  test("takes members it does not know as not sent: nobody sets a status or an id", async () => {
    const { data } = (
      await api.call("POST", "/campaigns", { ...LETTER, status: "SENT", id: "cmp_ada", sentAt: "x" })
    ).body;
    expect(data).toMatchObject({ status: "DRAFT", sentAt: null });
    expect(data.id).not.toBe("cmp_ada");
  });

  test("takes a list of the workspace; null is none", async () => {
    const listId = await newList(api);
    expect((await newCampaign(api, { listId })).listId).toBe(listId);
    expect((await newCampaign(api, { listId: null })).listId).toBeNull();
  });

  test.each([
    ["no body", undefined],
    ["a body that is not JSON", "{name"],
    ["a body that is no object", "[]"],
    ["no name", { subject: "S", body: "B" }],
    ["no subject", { name: "N", body: "B" }],
    ["no body field", { name: "N", subject: "S" }],
  ])("with %s answers 422 and stores nothing", async (_, body) => {
    const before = countRows(api, "campaigns");
    const answer = await api.call("POST", "/campaigns", body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(countRows(api, "campaigns")).toBe(before);
  });

  test("with a list that is not there answers 404 and stores nothing", async () => {
    const before = countRows(api, "campaigns");
    const answer = await api.call("POST", "/campaigns", { ...LETTER, listId: "list_of_nobody" });
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(countRows(api, "campaigns")).toBe(before);
  });
});

const BODY_MAX = 524_288;
const FIELD_RULES: [string, Record<string, unknown>, boolean][] = [
  ["a name of 200 characters", { name: "n".repeat(200) }, true],
  ["a name of 201 characters", { name: "n".repeat(201) }, false],
  ["a name of 200 emoji", { name: "🌱".repeat(200) }, true],
  ["a name of 201 emoji", { name: "🌱".repeat(201) }, false],
  ["a name of 200 characters inside white space", { name: `  ${"n".repeat(200)}\n` }, true],
  ["an empty name", { name: "" }, false],
  ["a name of white space", { name: " \t\n" }, false],
  ["a name of two lines", { name: "Ada\nGrace" }, false],
  ["a name that is a number", { name: 7 }, false],
  ["a subject of 998 characters", { subject: "s".repeat(998) }, true],
  ["a subject of 999 characters", { subject: "s".repeat(999) }, false],
  ["a subject of 998 emoji", { subject: "🌱".repeat(998) }, true],
  ["a subject of 999 emoji", { subject: "🌱".repeat(999) }, false],
  ["an empty subject", { subject: "" }, false],
  ["a subject with a header in it", { subject: "Hello\r\nBcc: grace@example.com" }, false],
  ["a subject with U+2028", { subject: "one\u2028two" }, false],
  ["a subject that is an array", { subject: ["s"] }, false],
  ["a body of 524,288 bytes, 1 each", { body: "a".repeat(BODY_MAX) }, true],
  ["a body of 524,289 bytes, 1 each", { body: "a".repeat(BODY_MAX + 1) }, false],
  ["a body of 524,288 bytes, 2 each", { body: "é".repeat(BODY_MAX / 2) }, true],
  ["a body of 524,289 bytes, 2 each but one", { body: `${"é".repeat(BODY_MAX / 2)}a` }, false],
  ["a body of 524,288 bytes, 3 each but two", { body: `${"€".repeat((BODY_MAX - 2) / 3)}aa` }, true],
  ["a body of 524,289 bytes, 3 each", { body: "€".repeat((BODY_MAX + 1) / 3) }, false],
  ["a body of 524,288 bytes, 4 each", { body: "🌱".repeat(BODY_MAX / 4) }, true],
  ["a body of 524,289 bytes, 4 each but one", { body: `${"🌱".repeat(BODY_MAX / 4)}a` }, false],
  ["an empty body", { body: "" }, false],
  ["a body of white space", { body: " \r\n" }, false],
  ["a body that is an object", { body: {} }, false],
  ["a list id that is a number", { listId: 5 }, false],
  ["an empty list id", { listId: "" }, false],
];

describe("the field rules hold on POST and on PATCH", () => {
  test.each(FIELD_RULES)("%s", async (_, fields, accepted) => {
    const posted = await api.call("POST", "/campaigns", { ...LETTER, ...fields });
    const draft = await newCampaign(api);
    const before = rowOf(api, draft.id);
    const patched = await api.call("PATCH", `/campaigns/${draft.id}`, fields);
    expect([posted.status, patched.status]).toEqual(accepted ? [201, 200] : [422, 422]);
    if (accepted) return;
    expect([posted.body.error.code, patched.body.error.code]).toEqual([
      "VALIDATION_ERROR",
      "VALIDATION_ERROR",
    ]);
    expect(rowOf(api, draft.id)).toEqual(before);
  });

  test("name and subject are stored trimmed, the body as written", async () => {
    const body = "  <p>é 🌱</p>\r\n\t<br>\n ";
    const { id, name, subject } = await newCampaign(api, { name: " Ada ", subject: "\tGrace\r\n", body });
    expect([name, subject, rowOf(api, id).html]).toEqual(["Ada", "Grace", body]);
  });
});

describe("PATCH /campaigns/{id}", () => {
  test("changes what is sent and nothing else", async () => {
    const listId = await newList(api);
    const draft = await newCampaign(api, { listId });
    for (const change of [{ name: "Summer" }, { subject: "Sun" }, { body: "<b>!</b>" }, { listId: null }]) {
      const before = rowOf(api, draft.id);
      const answer = await api.call("PATCH", `/campaigns/${draft.id}`, change);
      const { listId: _, body: html, ...plain } = { listId: 0, body: before.html, ...change };
      const list = "listId" in change ? null : before.list;
      expect(answer.status).toBe(200);
      expect(rowOf(api, draft.id)).toEqual({
        ...before,
        ...plain,
        html,
        list,
        search: rowOf(api, draft.id).search,
      });
    }
    expect((await api.call("GET", `/campaigns/${draft.id}`)).body.data).toEqual({
      ...draft,
      name: "Summer",
      subject: "Sun",
      listId: null,
    });
  });

  test.each([
    ["no body", undefined],
    ["an empty object", {}],
    ["a body that is not JSON", "{"],
    ["a body that is no object", "[1]"],
    ["members it does not know", { status: "SENT", stat: {} }],
    ["null for what null does not clear", { name: null, subject: null, body: null }],
  ])("with %s changes nothing and answers 200", async (_, body) => {
    const draft = await newCampaign(api, { listId: await newList(api) });
    const before = rowOf(api, draft.id);
    const answer = await api.call("PATCH", `/campaigns/${draft.id}`, body);
    expect([answer.status, answer.body.data]).toEqual([200, draft]);
    expect(rowOf(api, draft.id)).toEqual(before);
  });

  test("to a list that is not there answers 404 and changes nothing, not even the name sent with it", async () => {
    const draft = await newCampaign(api);
    const before = rowOf(api, draft.id);
    const answer = await api.call("PATCH", `/campaigns/${draft.id}`, {
      name: "Summer",
      listId: "list_of_nobody",
    });
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(rowOf(api, draft.id)).toEqual(before);
  });

  test("makes the new name and subject findable and the old ones not", async () => {
    const { id } = await newCampaign(api, { name: "Oldname-zq", subject: "Oldsubject-zq" });
    await api.call("PATCH", `/campaigns/${id}`, { name: "Newname-zq" });
    expect(await idsOf("q=newname-zq")).toEqual([id]);
    expect(await idsOf("q=oldname-zq")).toEqual([]);
    expect(await idsOf("q=oldsubject-zq")).toEqual([id]);
  });
});

async function idsOf(query: string, key = api.key): Promise<string[]> {
  const { status, body } = await api.call("GET", `/campaigns?${query}`, undefined, key);
  expect(status).toBe(200);
  return body.data.map(({ id }: { id: string }) => id);
}

describe("DELETE /campaigns/{id}", () => {
  test("takes the campaign and its body away, once", async () => {
    const { id } = await newCampaign(api);
    const bodies = countRows(api, "campaign_bodies");
    const deleted = await api.call("DELETE", `/campaigns/${id}`);
    expect([deleted.status, deleted.body]).toEqual([204, null]);
    expect(countRows(api, "campaign_bodies")).toBe(bodies - 1);
    for (const method of ["GET", "DELETE"]) {
      expect((await api.call(method, `/campaigns/${id}`)).status).toBe(404);
    }
  });
});

describe("the HTML body", () => {
  test("is in no answer, however the campaign is looked at", async () => {
    const secret = "only-in-the-body-of-the-mail";
    const listId = await newList(api);
    const at = { scheduledAt: "2099-01-01T00:00:00Z" };
    const made = await api.call("POST", "/campaigns", { ...LETTER, listId, body: `<p>${secret}</p>` });
    const path = `/campaigns/${made.body.data.id}`;
    const answers = [
      made,
      await api.call("GET", path),
      await api.call("PATCH", path, { body: `<b>${secret}</b>` }),
      await api.call("GET", `/campaigns?q=${LETTER.name.slice(0, 3)}`),
      await api.call("POST", `${path}/schedule`, at),
      await api.call("DELETE", `${path}/schedule`),
      await api.call("GET", `${path}/report`),
      await api.call("GET", `${path}/deliveries`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200, 200]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(secret);
    expect(await idsOf(`q=${secret}`)).toEqual([]);
  });
});

describe("two workspaces", () => {
  test("never see or touch each other's campaigns or lists", async () => {
    const other = await api.services.workspaces.create("Grace's garden");
    const mine = await newCampaign(api, { name: "Isolated-ada" });
    const before = rowOf(api, mine.id);
    const path = `/campaigns/${mine.id}`;
    const at = { scheduledAt: "2099-01-01T00:00:00Z" };
    for (const [method, route, body] of [
      ["GET", path],
      ["PATCH", path, { name: "Taken over" }],
      ["DELETE", path],
      ["POST", `${path}/schedule`, at],
      ["DELETE", `${path}/schedule`],
      ["GET", `${path}/report`],
      ["GET", `${path}/deliveries`],
    ] as [string, string, unknown?][]) {
      const answer = await api.call(method, route, body, other.key);
      expect([method, route, answer.status, answer.body.error.code]).toEqual([
        method,
        route,
        404,
        "NOT_FOUND",
      ]);
    }
    expect(rowOf(api, mine.id)).toEqual(before);
    expect(await idsOf("q=isolated", other.key)).toEqual([]);
    expect((await api.call("GET", "/campaigns", undefined, other.key)).body.pagination.total).toBe(0);

    const theirList = await newList(api, other.key);
    expect((await api.call("POST", "/campaigns", { ...LETTER, listId: theirList })).status).toBe(404);
    expect((await api.call("PATCH", path, { listId: theirList })).status).toBe(404);
    expect(rowOf(api, mine.id)).toEqual(before);
  });
});
