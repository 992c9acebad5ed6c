import type { Document, Operation } from "#http/openapi/openapi.ts";

export type Listed = { readonly method: string; readonly path: string; readonly operation: Operation };

/** A request with the document's own examples, independent of the programming language. */
export type ExampleRequest = {
  readonly method: string;
  readonly url: string;
  /** How the request identifies its caller; null: not at all. */
  readonly credential: "key" | "cookie" | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly kind: "json"; readonly value: unknown }
    | { readonly kind: "form"; readonly fields: readonly (readonly [name: string, value: string])[] }
    | Upload
    | null;
  /** How the answer is read; null if it has no content. */
  readonly answer: "json" | "text" | null;
};

/**
 * A file that is sent. `text` is all of it; null: a file of the reader's own. `options` are undefined where
 * the route has none.
 */
type Upload = {
  readonly kind: "upload";
  readonly name: string;
  readonly text: string | null;
  readonly options: unknown;
};

export function exampleRequest({ servers }: Document, listed: Listed): ExampleRequest {
  const { method, path, operation } = listed;
  const headers = (operation.parameters ?? []).filter(({ in: place }) => place === "header");
  return {
    method,
    url: servers[0].url.replace(/\/+$/, "") + filledIn(path, operation),
    credential: credentialOf(operation),
    headers: headers.map(({ name, example }) => [name, String(example)]),
    body: bodyOf(operation),
    answer: answerOf(operation),
  };
}

function credentialOf({ security }: Operation): ExampleRequest["credential"] {
  if (security === undefined) return "key";
  return security.length === 0 ? null : "cookie";
}

function filledIn(path: string, { parameters = [] }: Operation): string {
  return path.replaceAll(/\{([^}]+)\}/g, (whole, wanted: string) => {
    const parameter = parameters.find(({ in: place, name }) => place === "path" && name === wanted);
    return parameter === undefined ? whole : encodeURIComponent(String(parameter.example));
  });
}

function bodyOf({ requestBody }: Operation): ExampleRequest["body"] {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return null;
  const [type, { example }] = content;
  if (type === "application/json") return { kind: "json", value: example };
  if (type === "multipart/form-data") return uploadOf(example as { file: string; options?: unknown });
  const fields = Object.entries(example as Record<string, unknown>);
  return { kind: "form", fields: fields.map(([name, value]) => [name, String(value)]) };
}

/** The name of a file that is not text comes after an `@`. */
const uploadOf = ({ file, options }: { file: string; options?: unknown }): Upload =>
  file.startsWith("@")
    ? { kind: "upload", name: file.slice(1), text: null, options }
    : { kind: "upload", name: "people.csv", text: file, options };

/** Uses the first success: all successes of a route are read in the same way. */
function answerOf({ responses }: Operation): ExampleRequest["answer"] {
  const [success] = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const content = success && "content" in success[1] ? success[1].content : undefined;
  if (content === undefined) return null;
  return "application/json" in content ? "json" : "text";
}
