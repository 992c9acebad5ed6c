import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { writeTo } from "../../support/server/services.ts";

let service: TestApi;
let api: TestApi;
beforeAll(async () => void (service = await startApi()));
beforeEach(async () => void (api = await inNewWorkspace(service)));
afterAll(() => service.stop());

test("Names and messages have their lengths in the document", async () => {
  const document = (await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as any;
  const { schemas } = document.components;
  for (const name of ["FormCreate", "FormUpdate"]) {
    const { properties } = schemas[name];
    expect(properties.name).toMatchObject({ type: "string", maxLength: 200 });
    expect(properties.successMessage).toMatchObject({ type: "string", maxLength: 2_000 });
    expect(properties.fields).toMatchObject({ maxItems: 20, items: { type: "string", maxLength: 64 } });
  }
  for (const name of ["ListCreate", "ListUpdate", "AutomationCreate"])
    expect(schemas[name].properties.name).toMatchObject({ type: "string", maxLength: 200 });
  for (const field of ["firstName", "lastName"]) {
    expect(schemas.ContactCreate.properties[field]).toMatchObject({ maxLength: 200 });
    expect(JSON.stringify(schemas.ContactUpdate.properties[field])).toContain('"maxLength":200');
  }
});

test("The length that words say of a text in a body is there for programs too", async () => {
  const document = (await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as any;
  const { schemas } = document.components;
  // Which settings have lengths is looked at below.
  const bodies = Object.keys(schemas).filter((name) => /(Create|Update|Send|Action)$/.test(name));
  const told = bodies
    .filter((name) => name !== "SettingsUpdate")
    .flatMap((name) =>
      Object.entries<any>(schemas[name].properties ?? {}).map(([field, schema]) => ({
        place: `${name}.${field}`,
        schema,
        says: /(1 to|at most) ([\d,]+) characters/.exec(schema.description ?? ""),
      })),
    )
    .filter(({ says, schema }) => says !== null && !("items" in schema) && !("$ref" in schema));
  expect(told.map(({ place }) => place)).toContain("CampaignCreate.subject");
  for (const { place, schema, says } of told) {
    const [, least, most = ""] = says ?? [];
    expect([place, schema.minLength, schema.maxLength]).toEqual([
      place,
      least === "1 to" ? 1 : schema.minLength,
      Number(most.replace(",", "")),
    ]);
  }
  for (const place of ["ListCreate", "SegmentCreate", "FormCreate", "TemplateCreate", "CampaignUpdate"])
    expect([place, schemas[place].properties.name]).toEqual([
      place,
      expect.objectContaining({ minLength: 1, maxLength: 200 }),
    ]);
  for (const place of ["ContactCreate", "ContactUpdate", "MessageSend"])
    expect(schemas[place].properties.tags.items).toMatchObject({ type: "string", maxLength: 100 });
  expect(schemas.ContactsAction.properties).toMatchObject({
    contactIds: { minItems: 1, maxItems: 1_000 },
    tag: { type: "string", maxLength: 100 },
    listId: { type: "string" },
  });
  expect(schemas.WebhookCreate.properties.events.minItems).toBe(1);
  expect(schemas.ScoringRuleCreate.properties.points).toMatchObject({ minimum: -1e6, maximum: 1e6 });
  expect(schemas.PasswordChange.properties.password.minLength).toBe(10);
  expect(schemas.EventCreate.properties.valueCents.maximum).toBe(2 ** 53 - 1);
});

test("What takes a few words only has them in the document", async () => {
  const { components, paths } = (await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as any;
  const { properties } = components.schemas.ImportOptions;
  expect(properties).toMatchObject({
    status: { enum: ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"] },
    unknownColumns: { enum: ["ignore", "attributes"] },
    existing: { enum: ["update", "keep"] },
  });
  const format = { enum: ["csv", "jsonl"] };
  expect(components.schemas.ContactsExport.properties.format).toMatchObject(format);
  const parameters = paths["/api/v1/exports/contacts"].get.parameters as { name: string; schema: object }[];
  expect(parameters.find(({ name }) => name === "format")?.schema).toMatchObject(format);
});

test("Settings have their lengths in the document", async () => {
  const { schemas } = ((await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as any).components;
  for (const [name, maxLength] of [
    ["name", 200],
    ["mailingAddress", 500],
    ["fromName", 200],
  ] as const)
    expect(schemas.SettingsUpdate.properties[name]).toMatchObject({ type: "string", maxLength });
});

test("Attributes have their limits in the document", async () => {
  const { schemas } = ((await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as any).components;
  for (const name of ["ContactCreate", "ContactUpdate"]) {
    const shown = JSON.stringify(schemas[name].properties.attributes);
    const { $ref } = schemas[name].properties.attributes;
    const text = $ref === undefined ? shown : JSON.stringify(schemas[$ref.split("/").at(-1)]);
    for (const limit of ['"maxLength":1000', '"maxItems":50', "{0,63}", "At most 100", "16,384", "500"])
      expect([name, text.includes(limit), limit]).toEqual([name, true, limit]);
  }
});

test("Too long a name is a 422 that says so, and nothing is made", async () => {
  for (const path of ["/forms", "/lists", "/automations"]) {
    const answer = await api.call("POST", path, { name: "x".repeat(201) });
    expect([path, answer.status, answer.body.error.message]).toEqual([
      path,
      422,
      "`name` is longer than 200 characters. Shorten it.",
    ]);
    expect((await api.call("GET", path)).body.pagination.total).toBe(0);
  }
});

test("What was stored longer, before there was a limit, is still read and may be changed elsewhere", async () => {
  const { id } = (await api.call("POST", "/forms", { name: "Letter" })).body.data;
  const long = "x".repeat(5_000);
  await writeTo(api, "UPDATE forms SET name = ?, success_message = ? WHERE id = ?", long, long, id);
  expect((await api.call("GET", `/forms/${id}`)).body.data).toMatchObject({
    name: long,
    successMessage: long,
  });
  const changed = await api.call("PATCH", `/forms/${id}`, { style: { buttonText: "Go" } });
  expect(changed.body.data).toMatchObject({ name: long, style: { buttonText: "Go" } });
});

test("A body that would take long to read is a 422 on every kind of route", async () => {
  const deep = `{"name":"x","a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  for (const path of ["/lists", "/events", "/send"]) {
    const answer = await fetch(`${api.url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.key}` },
      body: deep,
    });
    expect([path, answer.status]).toEqual([path, 422]);
    expect(((await answer.json()) as any).error.message).toContain("100 levels deep");
  }
});

test("An error names the beginning of a very long id, and does not send all of it back", async () => {
  const id = "é".repeat(1_000_000);
  const list = (await api.call("POST", "/lists", { name: "Readers" })).body.data;
  const campaign = { name: "News", subject: "News", body: "<p>News</p>" };
  const draft = (await api.call("POST", "/campaigns", campaign)).body.data;
  const automation = (await api.call("POST", "/automations", {})).body.data;
  for (const [path, body, status] of [
    ["/events", { name: "seen", contactId: id }, 404],
    ["/contacts/bulk", { contacts: [{ email: "ada@example.com" }], listId: id }, 404],
    [`/lists/${list.id}/contacts`, { contactId: id }, 404],
    [`/campaigns/${draft.id}/preview`, { contactId: id }, 404],
    [`/campaigns/${draft.id}/test`, { to: "ada@example.com", contactId: id }, 404],
    [`/automations/${automation.id}/preview`, { nodeId: id }, 422],
  ] as const) {
    const answer = await api.call("POST", path, body);
    const { message } = answer.body.error;
    expect([path, answer.status, message.length < 5_000, message.includes("éé")]).toEqual([
      path,
      status,
      true,
      true,
    ]);
  }
  const bulk = { events: [{ name: "seen", contactId: id }] };
  const [line] = (await api.call("POST", "/events/bulk", bulk)).body.data.results;
  expect([line.error.code, line.error.message.length < 5_000]).toEqual(["NOT_FOUND", true]);
});
