/**
 * OpenAPI allows more than generators of clients can stand. These rules keep the document inside what the common
 * ones make working code of; each was broken once, and a client was not complete, did not compile, or threw.
 */
import { describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { BASE_URL } from "../../support/server/api.ts";

const document = apiDocument(BASE_URL);

const tagsOf = (part: typeof document.paths): Set<string> =>
  new Set(Object.values(part).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));

describe("a generated client", () => {
  test("has all routes of a group: none shares it with what we post to others", () => {
    const [routes, posted] = [tagsOf(document.paths), tagsOf(document.webhooks)];
    expect(posted.size).toBeGreaterThan(0);
    expect([...posted].filter((tag) => routes.has(tag))).toEqual([]);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...posted]));
  });
});
