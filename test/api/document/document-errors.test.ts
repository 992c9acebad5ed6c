/** What the document says of errors, route by route. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { routeErrors } from "#http/openapi/route-errors.ts";
import { BASE_URL, startApi, type TestApi } from "../../support/server/api.ts";

const document = apiDocument(BASE_URL);
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const answerTo = (method: string, path: string, status: number) => {
  const answer = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  if (answer === undefined || !("$ref" in answer)) return answer;
  return document.components.responses[answer.$ref.replace("#/components/responses/", "")];
};

test("every route's own errors are there, also where routes share an answer", () => {
  for (const route of api.routes) {
    const path = `/api/v1${route.path.replaceAll(/:([^/]+)/g, "{$1}")}`;
    for (const { code, status, when } of routeErrors(route))
      expect([path, answerTo(route.method, path, status)?.description]).toEqual([
        path,
        expect.stringContaining(`\`${code}\`: ${when}`),
      ]);
  }
});

test("a file has six hours and no size; any other body has two minutes and a size", () => {
  for (const path of ["/api/v1/imports", "/api/v1/imports/preview", "/api/v1/media"]) {
    expect([path, answerTo("POST", path, 413)]).toEqual([path, undefined]);
    expect(JSON.stringify(answerTo("POST", path, 408))).toMatch(/six hours.* 360 minutes/);
  }
  expect(answerTo("POST", "/api/v1/lists", 413)?.description).toContain("4 MiB");
  expect(JSON.stringify(answerTo("POST", "/api/v1/lists", 408))).toMatch(/more than 120,.* 2 minutes/);
});
