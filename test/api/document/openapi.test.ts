import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { apiDocument } from "#app/http.ts";
import { schemaOf, type Document, type JsonSchema } from "#http/openapi/openapi.ts";
import { BASE_URL, startApi, type TestApi } from "../../support/server/api.ts";
import { contractRoutes } from "../../support/document/contract-routes.ts";
import { documentCheck, escaped } from "../../support/document/document-check.ts";
import { documentedAnswer, undocumentedStatuses } from "../../support/document/documented-answer.ts";
import { documentGaps } from "../../support/document/document-gaps.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";

const document = apiDocument(BASE_URL);

/**
 * Routes of ours that the contract does not name (docs/decisions.md "Campaigns and sending", "Automations",
 * "Events").
 */
const OURS = [
  "GET /api/v1/automations/{id}/flow",
  "GET /api/v1/automations/{id}/problems",
  "GET /api/v1/automations/{id}/stats",
  "GET /api/v1/campaigns/{id}/deliveries",
  "GET /api/v1/campaigns/{id}/report",
  "GET /api/v1/contacts/{id}/score",
];

/** Outside `/api/v1` and without a key, as programs may meet them. */
const PUBLIC = [
  "GET /api/v1/openapi.json",
  "GET /c/{token}/{number}",
  "GET /confirm/{token}",
  "GET /forms/{id}",
  "GET /forms/{id}/embed.js",
  "GET /health",
  "GET /media/{name}",
  "GET /media/social/{name}",
  "GET /o/{token}",
  "GET /p/{token}",
  "GET /u/{token}",
  "GET /w/{token}",
  "POST /confirm/{token}",
  "POST /hooks/{provider}/{secret}",
  "POST /p/{token}",
  "POST /u/{token}",
];

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const idsOf = (method: string): string[] =>
  Object.values(document.paths).flatMap((path) => path[method]?.operationId ?? []);

const OPERATION_ID =
  /^(?:list|get|create|update|delete|add|remove|send|test|replay|rotate|pause|resume|stop|check|duplicate|simulate|schedule|unschedule|revoke|show|submit|confirm|open|follow|unsubscribe)(?:[A-Z][a-z]+)*$/;
const COMPONENT = /^#\/components\/schemas\/[A-Z][A-Za-z]+$/;

const routesOf = ({ paths }: Document): string[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .toSorted();

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe("the document", () => {
  test("names every route of the contract and of ours, and no other", () => {
    const wanted = contractRoutes();
    expect(wanted.length).toBeGreaterThanOrEqual(35);
    expect(routesOf(document)).toEqual([...wanted, ...OURS, ...PUBLIC].toSorted());
  });

  test("names the very routes that are served", () => {
    const served = api.routes.map(
      ({ method, path }) => `${method} /api/v1${path.replaceAll(/:([^/]+)/g, "{$1}")}`,
    );
    expect(served.length).toBeGreaterThan(20);
    expect(routesOf(document)).toEqual(expect.arrayContaining(served));
  });

  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(JSON.parse(JSON.stringify(document))))).toMatchObject({
      valid: true,
    });
    expect(validator.version).toBe("3.1");
  });

  test("describes every route, parameter, property, body, answer and header, and shows an example of each", () => {
    expect(documentGaps(document)).toEqual([]);
  });

  test("has no name twice, and no name nobody refers to", () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas))
      expect([name, text.includes(`"#/components/schemas/${name}"`)]).toEqual([name, true]);
  });

  test("names every operation by verb and noun, and every JSON body and answer by what it carries", () => {
    for (const { operationId, security, requestBody, responses } of operations) {
      expect(operationId).toMatch(OPERATION_ID);
      if (security !== undefined) continue;
      const contents = [requestBody, ...Object.values(responses)].map(
        (body) => (body && "content" in body && body.content) || {},
      );
      for (const { schema } of contents.flatMap((content) => Object.values(content)))
        expect([operationId, schema]).toEqual([operationId, { $ref: expect.stringMatching(COMPONENT) }]);
    }
    expect(idsOf("get").filter((id) => id.startsWith("list")).length).toBeGreaterThan(10);
    expect(idsOf("patch").every((id) => id.startsWith("update"))).toBe(true);
  });

  test("leaves no object closed by silence: an object has members, or says which it takes", () => {
    const silent: string[] = [];
    walk(document, "", (pointer, value) => {
      if (value["type"] !== "object" || "properties" in value) return;
      if (!("additionalProperties" in value)) silent.push(pointer);
    });
    expect(silent).toEqual([]);
  });

  // Some generators make a member with a default one that has to be sent.
  test("gives no member of a body a default", () => {
    const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const members = bodies.flatMap(({ schema }) =>
      Object.entries(schemaOf(document, schema)["properties"] ?? {}),
    );
    expect(members.length).toBeGreaterThan(30);
    expect(members.filter(([, member]) => "default" in member)).toEqual([]);
  });

  test("marks every instant as a date-time", () => {
    const unmarked: string[] = [];
    walk(document.components.schemas, "", (pointer, { properties = {} }) => {
      for (const [name, schema] of Object.entries(properties as Record<string, JsonSchema>))
        if (/At$|^until$|^timestamp$/.test(name) && schema["format"] !== "date-time")
          unmarked.push(`${pointer}/${name}`);
    });
    expect(unmarked).toEqual([]);
  });

  // Without a format generators make a text of a file, and some of them 32 bits of a whole number.
  test("says which parts are files, and which whole numbers may be beyond 2^31: amounts, sizes and settings", () => {
    const uploads = operations.flatMap(
      ({ requestBody }) => requestBody?.content["multipart/form-data"] ?? [],
    );
    const parts = uploads.map(({ schema }) => schemaOf(document, schema)["properties"] as any);
    const files = parts.flatMap(({ file }) => file ?? []);
    expect(files.map(({ format }) => format)).toEqual(["binary", "binary", "binary"]);
    const unmarked: string[] = [];
    let marked = 0;
    const inSettings = /^\/Settings(?:Update)?\//;
    walk(document.components.schemas, "", (pointer, { type, format }) => {
      if (![type].flat().includes("integer")) return;
      if (format === "int64") marked++;
      else if (/Cents$|^\/Backup\/properties\/sizeBytes$/.test(pointer) || inSettings.test(pointer))
        unmarked.push(pointer);
    });
    expect(unmarked).toEqual([]);
    expect(marked).toBeGreaterThan(10);
    expect(document.components.schemas["Pagination"]).not.toHaveProperty("properties.total.format");
  });

  test("shows only examples that are as documented", () => {
    const { fits } = documentCheck(document);
    let seen = 0;
    for (const pointer of mediaIn(document)) {
      const media = pointer
        .slice(1)
        .split("/")
        .reduce<any>((at, part) => at[decodeURIComponent(part).replaceAll("~1", "/")], document);
      for (const example of media.examples
        ? Object.values<any>(media.examples).map(({ value }) => value)
        : [media.example]) {
        expect([pointer, example, fits(`${pointer}/schema`, example)]).toEqual([pointer, example, true]);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(80);
  });

  test("shows only parameters that are as documented", () => {
    const { fits } = documentCheck(document);
    const checked = new Set<string>();
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { parameters = [] }] of Object.entries(methods))
        for (const [index, { name, schema, example }] of parameters.entries()) {
          const shown = JSON.stringify([schema, example]);
          if (checked.has(shown)) continue;
          const pointer = `/paths/${escaped(path)}/${method}/parameters/${index}/schema`;
          expect([name, example, fits(pointer, example)]).toEqual([name, example, true]);
          checked.add(shown);
        }
    expect(checked.size).toBeGreaterThan(20);
  });

  test("is served without a key, to any page, the same at every request", async () => {
    const answers = await Promise.all([1, 2].map(() => fetch(`${api.url}/api/v1/openapi.json`)));
    for (const answer of answers) {
      expect([
        answer.status,
        answer.headers.get("content-type"),
        answer.headers.get("access-control-allow-origin"),
      ]).toEqual([200, "application/json", "*"]);
      expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
    }
  });

  test("is printed by `postrider openapi`, which makes no database", async () => {
    const home = temporaryDirectory();
    const ended = await postrider(`${home.path}/absent`, ["openapi", "--base-url", BASE_URL]);
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(ended.out)).toEqual(JSON.parse(JSON.stringify(document)));
    expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: home.path }))).toEqual([]);
    home.remove();
  });
});

describe("the checks", () => {
  test("notice a route, a parameter and a property that say nothing, and a body that shows nothing", () => {
    const broken = structuredClone(JSON.parse(JSON.stringify(document)));
    const { get, post } = broken.paths["/api/v1/contacts"];
    get.description = "";
    get.parameters[0].description = "";
    delete get.parameters[1].example;
    delete post.requestBody.content["application/json"].example;
    delete broken.components.schemas.ContactCreate.properties.email.description;
    delete broken.components.schemas.Contact.properties.email.examples;
    expect(documentGaps(broken)).toEqual([
      "GET /api/v1/contacts: no description",
      "GET /api/v1/contacts parameter limit: no description",
      "GET /api/v1/contacts parameter after: no example",
      "POST /api/v1/contacts body: no example",
      "schema Contact.email: no example",
      "schema ContactCreate.email: no description",
    ]);
  });

  test("notice an answer with a field, a status, an error code or a route that is not documented", () => {
    const check = documentedAnswer(document);
    const list = { id: "x", orgId: "ws", name: "L", createdAt: "2026-01-01T00:00:00.000Z", contactCount: 0 };
    const answer = (body: unknown, status = 200) => ({
      status,
      body,
      headers: new Headers({ "x-request-id": "0".repeat(24), "content-type": "application/json" }),
    });
    const error = (code: string) => ({ error: { code, message: "No." } });
    check("GET", "/lists/x", answer({ data: list }));
    check("GET", "/lists/x", answer(error("NOT_FOUND"), 404));
    expect(() => check("GET", "/lists/x", answer({ data: { ...list, score: 1 } }))).toThrow(
      "not as documented",
    );
    expect(() => check("GET", "/lists/x", answer({ data: list }, 201))).toThrow("does not document");
    expect(() => check("GET", "/lists/x", answer(error("CONFLICT"), 409))).toThrow("does not document");
    expect(() => check("GET", "/lists/x", answer(error("CONFLICT"), 404))).toThrow(
      "CONFLICT is not documented",
    );
    expect(() => check("GET", "/nothing", answer({}))).toThrow("not documented");
  });
});

test("a service that answered with an undocumented status by its own log is noticed", () => {
  const line = (method: string, route: string, status: number): string =>
    JSON.stringify({ message: "request", method, route, status });
  const lines = [
    line("GET", "/api/v1/lists/:id", 200),
    line("HEAD", "/health", 503),
    line("GET", "/mailbox", 418),
    line("GET", "(none)", 404),
  ];
  expect(undocumentedStatuses(document, lines)).toEqual([]);
  expect(undocumentedStatuses(document, [...lines, line("POST", "/u/:token", 418)])).toEqual([
    "POST /u/{token} answered 418",
  ]);
});

/** Every object in a document, with its place. Examples are no part of it. */
function walk(value: unknown, pointer: string, visit: (pointer: string, value: JsonSchema) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) visit(pointer, value as JsonSchema);
  for (const [name, member] of Object.entries(value))
    if (!["example", "examples"].includes(name)) walk(member, `${pointer}/${name}`, visit);
}

/** JSON pointers to every body of the document. */
function mediaIn(document_: Document): string[] {
  return Object.entries(document_.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const at = `/paths/${escaped(path)}/${method}`;
      return [
        ...Object.keys(requestBody?.content ?? {}).map(
          (type) => `${at}/requestBody/content/${escaped(type)}`,
        ),
        ...Object.entries(responses).flatMap(([status, answer]) =>
          "$ref" in answer
            ? []
            : Object.keys(answer.content ?? {}).map(
                (type) => `${at}/responses/${status}/content/${escaped(type)}`,
              ),
        ),
      ];
    }),
  );
}
