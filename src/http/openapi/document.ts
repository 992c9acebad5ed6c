import { Type } from "@sinclair/typebox";
import type { PublicRoute } from "#http/routes/public-route.ts";
import type { Route } from "#http/routes/route.ts";
import { API_PREFIX } from "#http/routes/route.ts";
import { guidesInMarkdown } from "./guides.ts";
import { INTRODUCTION } from "./introduction.ts";
import { headersOf } from "./media.ts";
import type { Answer, Document, Operation, Tag } from "./openapi.ts";
import { operationOf, publicOperationOf } from "./operation.ts";
import { templateOf } from "./path.ts";
import { schemaWriter, type SchemaWriter } from "./schemas.ts";
import { TAGS } from "./tags.ts";
import { webhookOf, type WebhookOperation } from "./webhook.ts";

/** From the contract: "The machine-readable description is version 1.0.0." */
const API_VERSION = "1.0.0";

export type DocumentParts = {
  /** The routes under `/api/v1`, by group. */
  readonly api: Readonly<Record<string, readonly Route[]>>;
  readonly pages: readonly PublicRoute[];
  /** Requests that this service makes to others, by name. */
  readonly webhooks: Readonly<Record<string, WebhookOperation>>;
  readonly baseUrl: string;
};

/** The OpenAPI document, made from the routes that are served: with their own schemas, in their own order. */
export function openApiDocument({ api, pages, webhooks, baseUrl }: DocumentParts): Document {
  const schemas = schemaWriter();
  gatherComponents(api, schemas);
  const responses: Record<string, Answer> = {};
  const paths: Record<string, Record<string, Operation>> = {};
  const add = (method: string, path: string, operation: Operation): void => {
    (paths[templateOf(path)] ??= {})[method.toLowerCase()] = operation;
  };
  for (const [tag, routes] of Object.entries(api))
    for (const route of routes)
      add(route.method, API_PREFIX + route.path, operationOf(route, tag, schemas, responses));
  for (const page of pages) {
    const operation = publicOperationOf(page, schemas);
    if (operation) add(page.method, page.path, operation);
  }
  const asked = Object.fromEntries(
    Object.entries(webhooks).map(([name, webhook]) => [name, { post: webhookOf(webhook, schemas) }]),
  );
  return {
    openapi: "3.1.1",
    info: { ...INFO, description: `${INTRODUCTION}\n\n${guidesInMarkdown(baseUrl)}` },
    servers: [{ url: baseUrl, description: "This Postrider." }],
    security: [{ apiKey: [] }, { sessionCookie: [], workspaceHeader: [] }],
    tags: tagsOf({ ...paths, ...asked }),
    paths,
    webhooks: asked,
    components: {
      schemas: schemas.components,
      responses,
      headers: headersOf(REQUEST_ID, schemas),
      securitySchemes: { apiKey: API_KEY, sessionCookie: SESSION, workspaceHeader: WORKSPACE },
    },
  };
}

/**
 * Runs before any operation is written, so that a path can show the id of a component that only a later route
 * answers.
 */
function gatherComponents(api: DocumentParts["api"], { write }: SchemaWriter): void {
  for (const { answers } of Object.values(api).flat())
    for (const schema of Object.values(answers)) if (schema !== null) write(schema);
}

function tagsOf(paths: Document["paths"]): Tag[] {
  const used = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)),
  );
  return [...used].map((name) => ({ name, description: TAGS[name] ?? "" }));
}

const INFO = {
  title: "Postrider",
  version: API_VERSION,
  summary: "The REST API of an email-marketing server.",
  license: { name: "MIT", identifier: "MIT" },
};

const API_KEY = {
  type: "http",
  scheme: "bearer",
  description: "An API key of the workspace, from `POST /api/v1/keys` or `postrider key create`.",
};

const SESSION = {
  type: "apiKey",
  in: "cookie",
  name: "postrider_session",
  description:
    "The cookie of a person who signed in, from `POST /api/v1/session`. An `Origin` of another site is `403` on everything but GET.",
};

const WORKSPACE = {
  type: "apiKey",
  in: "header",
  name: "X-Workspace",
  description:
    "Beside the cookie: the id of the workspace, from `GET /api/v1/session`. Without it the cookie is not looked at.",
};

const REQUEST_ID = Type.Object({
  RequestId: Type.String({
    description: "What the log calls this request by.",
    examples: ["5f0c2d9a71b34e86a0d1c2b3"],
  }),
});
