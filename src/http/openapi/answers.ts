import { Type, type TSchema } from "@sinclair/typebox";
import type { Route } from "#http/routes/route.ts";
import { oneOf } from "#http/envelope.ts";
import { codesInWords, ERROR_CODES, ERRORS } from "./error-codes.ts";
import { contentOf, headersOf, mediaOf } from "./media.ts";
import type { Answer, Reference } from "./openapi.ts";
import { resourceOf } from "./path.ts";
import { routeErrors, type RouteError } from "./route-errors.ts";
import type { SchemaWriter } from "./schemas.ts";

export const errorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: {
          ...oneOf("ErrorCode", ERROR_CODES, `For programs. ${codesInWords()}`),
          examples: ["NOT_FOUND"],
        },
        message: Type.String({
          description: "For people: what is wrong and what to do.",
          minLength: 1,
          examples: [ERRORS.NOT_FOUND.message],
        }),
      },
      { additionalProperties: false, $id: "ApiError", description: "What is wrong." },
    ),
  },
  {
    $id: "ErrorResponse",
    additionalProperties: false,
    description: "What every error looks like.",
  },
);

const REQUEST_ID: Reference = { $ref: "#/components/headers/RequestId" };

/**
 * Statuses whose answer is the same on every route that has no error of its own there, and the answer's name
 * in `components.responses`.
 */
function sharedName({ path, upload, access = "workspace" }: Route, status: number): string | undefined {
  if (upload && status === 408) return "UploadTimeout";
  if (access === "workspace" && (status !== 404 || resourceOf(path) === null)) return OF_WORKSPACES[status];
  return OF_ALL[status];
}

const OF_ALL: Readonly<Record<number, string>> = {
  408: "RequestTimeout",
  413: "PayloadTooLarge",
  500: "InternalError",
  503: "Unavailable",
};

const OF_WORKSPACES: Readonly<Record<number, string>> = {
  ...OF_ALL,
  401: "Unauthorized",
  403: "Forbidden",
  404: "WorkspaceNotFound",
};

/** Every answer of a route, by status. Collects in `shared` those that are the same on every route. */
export function answersOf(
  route: Route,
  schemas: SchemaWriter,
  shared: Record<string, Answer>,
): Record<string, Answer | Reference> {
  const byStatus = Map.groupBy(routeErrors(route), ({ status }) => status);
  const errors = [...byStatus].map(([status, cases]) => {
    const isOwn = cases.some(({ code }) => route.errors?.[code] !== undefined);
    const name = isOwn ? undefined : sharedName(route, status);
    if (name === undefined) return [status, errorAnswer(cases, schemas)] as const;
    shared[name] ??= errorAnswer(cases, schemas);
    return [status, { $ref: `#/components/responses/${name}` }] as const;
  });
  return { ...successes(route, schemas), ...Object.fromEntries(errors) };
}

function successes(
  { answers, answerHeaders, content, says = {} }: Route,
  schemas: SchemaWriter,
): Record<string, Answer> {
  const headers = { "X-Request-Id": REQUEST_ID, ...headersOf(answerHeaders, schemas) };
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: says[Number(status)] ?? successText(Number(status), schema),
        headers,
        ...(content ? { content: contentOf(content, schemas) } : {}),
        ...(schema === null ? {} : { content: { "application/json": mediaOf(schema, schemas) } }),
      },
    ]),
  );
}

/** The description of an answer's data. */
function successText(status: number, schema: TSchema | null): string {
  if (schema === null) return "Done. The answer has no body.";
  const { data, pagination } = (schema["properties"] ?? {}) as Record<string, TSchema | undefined>;
  const item = pagination === undefined ? data : (data?.["items"] as TSchema);
  const about = item?.description ?? schema.description ?? "";
  if (pagination !== undefined) return `One page. Each item: ${about}`;
  return status === 201 ? `Created. ${about}` : about;
}

function errorAnswer(cases: readonly RouteError[], schemas: SchemaWriter): Answer {
  const challenge = cases.some(({ code }) => code === "UNAUTHORIZED") ? headersOf(CHALLENGE, schemas) : {};
  const pause = cases.some(({ code }) => code === "RATE_LIMITED" || code === "UNAVAILABLE")
    ? headersOf(PAUSE, schemas)
    : {};
  const examples = cases.map(({ code, when, message }) => {
    const value = { error: { code, message } };
    return [code, { summary: when, value }] as const;
  });
  return {
    description: cases.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n"),
    headers: { "X-Request-Id": REQUEST_ID, ...challenge, ...pause },
    content: {
      "application/json": { schema: schemas.write(errorSchema), examples: Object.fromEntries(examples) },
    },
  };
}

const PAUSE = Type.Object({
  "Retry-After": Type.String({ description: "After how many seconds it may be tried.", examples: ["900"] }),
});

const CHALLENGE = Type.Object({
  "WWW-Authenticate": Type.String({ description: "How to authenticate (RFC 6750).", examples: ["Bearer"] }),
});
