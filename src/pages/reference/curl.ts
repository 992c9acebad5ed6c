import type { Document, Operation } from "#http/openapi/openapi.ts";
import { json } from "./prose.ts";

type Asked = { readonly method: string; readonly path: string; readonly operation: Operation };

/** A request with the document's own examples, to be pasted into a shell where `KEY` holds an API key. */
export function curlExample({ servers }: Document, { method, path, operation }: Asked): string {
  const url = servers[0]!.url.replace(/\/+$/, "") + filledIn(path, operation);
  const parts = method === "GET" ? [`curl ${shellQuoted(url)}`] : [`curl -X ${method}`, shellQuoted(url)];
  if (operation.security === undefined) parts.push('-H "Authorization: Bearer $KEY"');
  for (const { in: place, name, example } of operation.parameters ?? [])
    if (place === "header") parts.push(`-H ${shellQuoted(`${name}: ${String(example)}`)}`);
  return [...parts, ...bodyParts(operation)].join(" \\\n  ");
}

function filledIn(path: string, { parameters = [] }: Operation): string {
  return path.replaceAll(/\{([^}]+)\}/g, (whole, wanted: string) => {
    const parameter = parameters.find(({ in: place, name }) => place === "path" && name === wanted);
    return parameter === undefined ? whole : encodeURIComponent(String(parameter.example));
  });
}

function bodyParts({ requestBody }: Operation): string[] {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return [];
  const [type, { example }] = content;
  if (type === "application/json")
    return [`-H "Content-Type: application/json"`, `-d ${shellQuoted(json(example))}`];
  const fields = Object.entries(example as Record<string, unknown>);
  return fields.map(([name, value]) => `-d ${shellQuoted(`${name}=${String(value)}`)}`);
}

/** For a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
