/**
 * OpenAPI allows more than generators of clients can stand. These rules keep the document inside what the common
 * ones make working code of; each was broken once, and a client was not complete, did not compile, or threw.
 */
import { describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import type { JsonSchema } from "#http/openapi/openapi.ts";
import { BASE_URL } from "../../support/server/api.ts";

const document = apiDocument(BASE_URL);
const { schemas } = document.components;
const names = Object.keys(schemas);

/** Types that generated code uses under these names in Python, Java, Go, C# or TypeScript. */
const TAKEN = ["Any", "Array", "Date", "Dict", "Enum", "Error", "File", "List", "Literal", "Map", "Object"];
const TAKEN_TOO = ["Optional", "Promise", "Record", "Response", "Request", "Set", "String", "Union"];

const tagsOf = (part: typeof document.paths): Set<string> =>
  new Set(Object.values(part).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));

function* within(schema: unknown): Generator<JsonSchema> {
  if (typeof schema !== "object" || schema === null) return;
  if (!Array.isArray(schema)) yield schema as JsonSchema;
  for (const [keyword, value] of Object.entries(schema))
    if (keyword !== "examples" && keyword !== "example") yield* within(value);
}

describe("a generated client", () => {
  test("has all routes of a group: none shares it with what we post to others", () => {
    const [routes, posted] = [tagsOf(document.paths), tagsOf(document.webhooks)];
    expect(posted.size).toBeGreaterThan(0);
    expect([...posted].filter((tag) => routes.has(tag))).toEqual([]);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...posted]));
  });

  test("keeps the types of its language: none of ours hides one", () => {
    expect(names.filter((name) => [...TAKEN, ...TAKEN_TOO].includes(name))).toEqual([]);
  });

  test("can call what makes a Key NewKey: nothing else is called so", () => {
    expect(names.filter((name) => name.startsWith("New") && names.includes(name.slice(3)))).toEqual([]);
  });

  test("has one type of a name: no way to sign in is called as a schema is", () => {
    const ways = Object.keys(document.components.securitySchemes).map((name) => name.toLowerCase());
    expect(ways.length).toBeGreaterThan(2);
    expect(names.filter((name) => ways.includes(name.toLowerCase()))).toEqual([]);
  });

  test("takes an object for a type: not all of its members are constants", () => {
    const objects = Object.entries(schemas).filter(([, { properties }]) => properties !== undefined);
    const members = objects.map(
      ([name, schema]) => [name, Object.values(schema["properties"] as object)] as const,
    );
    expect(
      members.filter(([, all]) => all.length > 0 && all.every((one: JsonSchema) => "const" in one)),
    ).toEqual([]);
  });

  test("accepts true where only true can come: a constant is a text", () => {
    const constants = [...within([schemas, document.paths])].filter((schema) => "const" in schema);
    expect(constants.length).toBeGreaterThan(5);
    expect(constants.filter(({ const: value }) => typeof value !== "string")).toEqual([]);
  });
});
