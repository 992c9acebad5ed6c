/**
 * Checks answers against the OpenAPI document as a foreign program would. It uses only the document's JSON
 * and a JSON Schema validator, and nothing of our code.
 */
import { Ajv2020, type Format, type ValidateFunction } from "ajv/dist/2020.js";
import { isReference, type Answer as Documented, type Document } from "#http/openapi/openapi.ts";
import type { Answer } from "../server/api.ts";

/** Every format the document names. */
const FORMATS: Record<string, Format> = {
  "date-time": (text: string) =>
    /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  email: /^[^\s@]+@[^\s@]+$/,
  uri: (text: string) => URL.canParse(text),
  int64: { type: "number", validate: Number.isSafeInteger },
  binary: true,
};

export type Asked = { readonly method: string; readonly path: string };

export function documentCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  const table = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      matches: patternOf(path),
    })),
  );

  const find = ({ method, path }: Asked) =>
    table
      .filter(
        (route) => route.method === method.replace("HEAD", "GET") && route.matches.test(pathnameOf(path)),
      )
      // A literal segment matches better than a parameter.
      .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)[0];

  const schemaAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer);
    if (known) return known;
    const validate = ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };

  /** How an answer differs from the document; empty if it does not. */
  const faults = (asked: Asked, answer: Answer): string[] => {
    const route = find(asked);
    if (!route) return [405, 404, 401].includes(answer.status) ? [] : ["its route is not documented"];
    const [documented, at] = answerOf(document, route, answer.status);
    if (!documented) return ["which its route does not document"];
    if (asked.method === "HEAD") return [];
    const content = documented.content?.["application/json"];
    if (!content) return answer.body === null ? [] : [`with a body: ${JSON.stringify(answer.body)}`];
    const validate = schemaAt(`${at}/content/application~1json/schema`);
    const wrong = validate(answer.body)
      ? []
      : validate.errors!.map(
          ({ instancePath, message = "", params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
        );
    const code: unknown = content.examples && answer.body?.error?.code;
    return content.examples && !Object.hasOwn(content.examples, String(code))
      ? [...wrong, `the code ${String(code)} is not documented`]
      : wrong;
  };

  /** Whether a value fits the schema at a JSON pointer. */
  const fits = (pointer: string, value: unknown): boolean => schemaAt(pointer)(value);

  return { find, faults, fits };
}

/** The answer that a route documents for a status, and its place in the document. */
function answerOf(
  document: Document,
  { method, path, operation }: { method: string; path: string; operation: Document["paths"][string][string] },
  status: number,
): [Documented | undefined, string] {
  const answer = operation.responses[status];
  if (answer === undefined) return [undefined, ""];
  if (!isReference(answer))
    return [answer, `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`];
  const name = answer.$ref.split("/").at(-1)!;
  return [document.components.responses[name], `/components/responses/${name}`];
}

/** As a client sends it and the server takes it: without `.` segments, a query or a slash at the end. */
const pathnameOf = (path: string): string => new URL(`http://localhost${path}`).pathname.replace(/\/$/, "");

export const escaped = (segment: string): string =>
  encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1"));

function patternOf(path: string): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(
    `^${path
      .split(/\{[^}]+\}/)
      .map(literal)
      .join("[^/]+")}$`,
  );
}
