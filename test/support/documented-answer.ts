/** Holds an answer against what its route documents: every API test gets this for free from `startApi().call`. */
import { Type, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Route } from "#http/route.ts";
import type { Answer } from "./api.ts";

const ERROR_SCHEMA = Type.Object(
  {
    error: Type.Object(
      { code: Type.String(), message: Type.String({ minLength: 1 }) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

const ERROR_STATUSES = [400, 401, 402, 403, 404, 405, 409, 413, 422, 500, 502];

/** Throws, with every field that does not fit, for an answer its route does not document. */
export function documentedAnswer(routes: readonly Route[]) {
  const table = routes.map((route) => ({ route, matches: patternOf(route.path) }));
  const routeOf = (method: string, path: string) =>
    table.find(({ route, matches }) => route.method === method.replace("HEAD", "GET") && matches.test(path))
      ?.route;

  return (method: string, path: string, answer: Answer): void => {
    const shown = `${method} ${path} answered ${answer.status}`;
    if (!/^[0-9a-f]{24}$/.test(answer.headers.get("x-request-id") ?? ""))
      throw new Error(`${shown} without X-Request-Id`);
    if (answer.body !== null && !isJson(answer))
      throw new Error(`${shown} with ${answer.headers.get("content-type")}`);
    if (method === "HEAD") return;
    if (answer.status >= 400) return checkError(shown, answer);
    const route = routeOf(method, path.replace(/\?.*/s, ""));
    const schema = route?.answers[answer.status];
    if (schema === undefined) throw new Error(`${shown}, which its route does not document`);
    if (schema !== null) return check(shown, schema, answer.body);
    if (answer.body !== null) throw new Error(`${shown} with a body: ${JSON.stringify(answer.body)}`);
  };
}

const isJson = (answer: Answer): boolean =>
  answer.headers.get("content-type")?.startsWith("application/json") === true;

function checkError(shown: string, answer: Answer): void {
  if (!ERROR_STATUSES.includes(answer.status))
    throw new Error(`${shown}, which is no error status of the contract`);
  check(shown, ERROR_SCHEMA, answer.body);
}

function check(shown: string, schema: TSchema, body: unknown): void {
  const errors = [...Value.Errors(schema, body)].map(({ path, message }) => `${path}: ${message}`);
  if (errors.length > 0)
    throw new Error(`${shown}, not as documented: ${errors.join("; ")}\n${JSON.stringify(body)}`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[^/]+/g, "[^/]+")}$`);
}
