/** Checks an answer against the API's document. Every API test gets this from `startApi().call`. */
import type { Document } from "#http/openapi/openapi.ts";
import type { Answer } from "../server/api.ts";
import { documentCheck } from "./document-check.ts";

/**
 * Throws for an answer that its route does not document, and names every field that does not fit.
 * @param document only its JSON is used
 */
export function documentedAnswer(document: Document) {
  const { faults } = documentCheck(document);

  return (method: string, path: string, answer: Answer): void => {
    const shown = `${method} ${path} answered ${answer.status}`;
    if (!/^[0-9a-f]{24}$/.test(answer.headers.get("x-request-id") ?? ""))
      throw new Error(`${shown} without X-Request-Id`);
    if (answer.body !== null && !isJson(answer))
      throw new Error(`${shown} with ${answer.headers.get("content-type")}`);
    const wrong = faults({ method, path: `/api/v1${path}` }, answer);
    if (wrong.length > 0)
      throw new Error(`${shown}, not as documented: ${wrong.join("; ")}\n${JSON.stringify(answer.body)}`);
  };
}

const isJson = (answer: Answer): boolean =>
  answer.headers.get("content-type")?.startsWith("application/json") === true;

/**
 * Every status in the service's log that the document does not name for its route. Routes without a key count
 * too. Pages for people are not documented, so they are left out. So is what happens before any route is
 * chosen; the document's introduction describes that.
 */
export function undocumentedStatuses({ paths }: Document, logLines: readonly string[]): string[] {
  const found = new Set<string>();
  for (const line of logLines) {
    const { message, method, route, status, code } = JSON.parse(line) as Record<string, string | number>;
    if (message !== "request" || code === "BAD_REQUEST" || code === "CLIENT_GONE") continue;
    const path = String(route).replaceAll(/:([^/]+)/g, "{$1}");
    const operation = paths[path]?.[String(method).replace("HEAD", "GET").toLowerCase()];
    if (operation && !(String(status) in operation.responses))
      found.add(`${method} ${path} answered ${status}`);
  }
  return [...found];
}
