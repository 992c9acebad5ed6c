import { Type } from "@sinclair/typebox";
import type { Document } from "#http/openapi/openapi.ts";
import type { PublicOperation, PublicRoute } from "#http/routes/public-route.ts";
import { referencePage } from "./page.ts";

const DOCUMENT_PATH = "/api/v1/openapi.json";

/**
 * The API's own description, without a key: the OpenAPI document for programs, and `/docs` for people. Both
 * are made at the first request and kept in memory, because they depend only on the routes.
 * @param describe makes the document
 */
export function referenceRoutes(describe: () => Document): PublicRoute[] {
  const document = once(describe);
  const text = once(() => JSON.stringify(document()));
  const page = once(async () => {
    const answer = await referencePage(document(), DOCUMENT_PATH);
    return { html: await answer.text(), headers: Object.fromEntries(answer.headers) };
  });
  return [
    {
      method: "GET",
      path: DOCUMENT_PATH,
      documented: DOCUMENT_OPERATION,
      handle: async () => new Response(text(), { headers: DOCUMENT_HEADERS }),
    },
    {
      method: "GET",
      path: "/docs",
      async handle() {
        const { html, headers } = await page();
        return new Response(html, { headers });
      },
    },
  ];
}

/** Any page may read it, because viewers and editors of OpenAPI documents run in browsers. */
const DOCUMENT_HEADERS = {
  "Content-Type": "application/json",
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-cache",
  "X-Content-Type-Options": "nosniff",
};

const DOCUMENT_OPERATION: PublicOperation = {
  operationId: "getOpenApiDocument",
  tag: "service",
  summary: "Read this document",
  description:
    "The OpenAPI 3.1 document of every route, made from the schemas the routes themselves use. `/docs` shows it to people.",
  answers: {
    200: {
      description: "The document.",
      content: {
        "application/json": Type.Object(
          { openapi: Type.String({ description: "The version of OpenAPI.", examples: ["3.1.1"] }) },
          { additionalProperties: true, description: "An OpenAPI document." },
        ),
      },
      headers: Type.Object({
        "Access-Control-Allow-Origin": Type.String({ description: "Any page may read it.", examples: ["*"] }),
      }),
    },
  },
};

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
