import { Type, type TObject, type TSchema } from "@sinclair/typebox";
import { FOREIGN_PAGING, foreignTo, isPaged, type ForeignNames } from "#http/foreign-names.ts";
import type { PublicRoute } from "#http/routes/public-route.ts";
import type { Route } from "#http/routes/route.ts";
import { answersOf } from "./answers.ts";
import { exampleOf } from "./example.ts";
import { contentOf, headersOf, parametersOf } from "./media.ts";
import { requiredIn, type Answer, type Operation, type Parameter, type RequestBody } from "./openapi.ts";
import { operationIdOf } from "./operation-id.ts";
import { capitalized, inWords, pathParameters, type PathParameter } from "./path.ts";
import type { SchemaWriter } from "./schemas.ts";

/** A route of the API, as the document shows it. For `shared` see `answersOf`. */
export function operationOf(
  route: Route,
  tag: string,
  schemas: SchemaWriter,
  shared: Record<string, Answer>,
): Operation {
  const { path, summary, query, headers } = route;
  const content = contentTaken(route);
  return {
    operationId: operationIdOf(route),
    tags: [tag],
    summary,
    description: describedWith(route),
    ...securityOf(route),
    ...listed([
      ...pathParameters(path).map((parameter) => idParameter(parameter, schemas)),
      ...(query ? parametersOf("query", query, schemas) : []),
      ...(headers ? parametersOf("header", headers, schemas) : []),
    ]),
    ...(content ? { requestBody: requestBody(content, schemas) } : {}),
    responses: answersOf(route, schemas, shared),
  };
}

/** Left out if it is the same as for the whole document. */
function securityOf({ access = "workspace" }: Route): Pick<Operation, "security"> {
  if (access === "workspace") return {};
  return { security: access === "person" ? [{ sessionCookie: [] }] : [] };
}

/** What a route takes, by media type. */
function contentTaken({ body, upload }: Route): Record<string, TSchema> | null {
  if (!upload) return body ? { "application/json": body } : null;
  const { $id, description, file: sent } = upload;
  const example = sent.text ?? `@${sent.name}`;
  // OpenAPI 3.1 needs the media type alone. Generators know a file by the format, and make a text of it without.
  const file = Type.String({
    format: "binary",
    contentMediaType: sent.type,
    description: "The file itself, with its name.",
    examples: [example],
  });
  const parts = { file, ...(body ? { options: Type.Optional(body) } : {}) };
  const shown = { file: example, ...(body ? { options: exampleOf(body) } : {}) };
  return { [UPLOAD]: Type.Object(parts, { $id, description, examples: [shown] }) };
}

/** The media type of bodies with a file in them. */
const UPLOAD = "multipart/form-data";

/** The route's own description, followed by the names that people know from other services. */
function describedWith({ description = "", query, body, foreign }: Route): string {
  const named = (what: string, own: TObject, table: ForeignNames): string => {
    const names = foreignTo(own.properties, table).map((name) => `\`${name}\``);
    return `${what} of other services are refused with \`422\`, and \`message\` names ours: ${names.join(", ")}.`;
  };
  const parameters = { ...(query && isPaged(query) ? FOREIGN_PAGING : {}), ...foreign?.query };
  return [
    description,
    ...(body && foreign?.body ? [named("Fields", body, foreign.body)] : []),
    ...(query && Object.keys(parameters).length > 0 ? [named("Parameters", query, parameters)] : []),
  ]
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

/** A route without a key, as the document shows it; null for a page that is only for people. */
export function publicOperationOf({ documented }: PublicRoute, schemas: SchemaWriter): Operation | null {
  if (!documented) return null;
  const { operationId, tag, summary, description, params, headers: asked, body, answers } = documented;
  const responses = Object.entries(answers).map(
    ([status, { description: says, content, headers }]): [string, Answer] => [
      status,
      {
        description: says,
        headers: {
          "X-Request-Id": { $ref: "#/components/headers/RequestId" },
          ...headersOf(headers, schemas),
        },
        ...(content ? { content: contentOf(content, schemas) } : {}),
      },
    ],
  );
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [],
    ...listed([
      ...(params ? parametersOf("path", params, schemas) : []),
      ...(asked ? parametersOf("header", asked, schemas) : []),
    ]),
    ...(body ? { requestBody: requestBody(body, schemas) } : {}),
    responses: {
      500: { $ref: "#/components/responses/InternalError" },
      503: { $ref: "#/components/responses/Unavailable" },
      ...Object.fromEntries(responses),
    },
  };
}

const listed = (parameters: readonly Parameter[]) => (parameters.length > 0 ? { parameters } : {});

/** Lists are not called `List`: in Python that name would hide a type that every generated client uses. */
const componentNameFor = (resource: string): string =>
  resource === "list" ? "ContactList" : capitalized(resource);

/**
 * The name of a thing in a path: its id, or another of its members (`/suppressions/:email`). The example is that of
 * the member, in the component for this kind of thing.
 */
function idParameter({ name, resource, owner }: PathParameter, { components }: SchemaWriter): Parameter {
  const owned = owner === null ? undefined : components[capitalized(owner) + capitalized(resource)];
  const properties = (owned ?? components[componentNameFor(resource)])?.["properties"] as
    | Record<string, TSchema>
    | undefined;
  const member = properties?.[name] === undefined ? "id" : name;
  const examples = properties?.[member]?.examples as readonly unknown[] | undefined;
  return {
    name,
    in: "path",
    required: true,
    description: `The ${inWords(resource)}'s ${member}.`,
    schema: { type: "string" },
    example: examples?.[0],
  };
}

function requestBody(content: Readonly<Record<string, TSchema>>, schemas: SchemaWriter): RequestBody {
  const shapes = Object.values(content);
  return {
    description: shapes[0]?.description ?? "",
    required: shapes.some((shape) => requiredIn(shape).length > 0),
    content: contentOf(content, schemas),
  };
}
