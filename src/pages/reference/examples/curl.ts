import { json } from "#pages/reference/prose.ts";
import type { ExampleRequest } from "./request.ts";

/** A command to paste into a shell in which `KEY` holds an API key, or `SESSION` the cookie of a session. */
export function curlExample({ method, url, credential, headers, body }: ExampleRequest): string {
  const parts = method === "GET" ? [`curl ${quoted(url)}`] : [`curl -X ${method}`, quoted(url)];
  if (credential === "key") parts.push('-H "Authorization: Bearer $KEY"');
  if (credential === "cookie") parts.push('-H "Cookie: postrider_session=$SESSION"');
  parts.push(...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`));
  if (body?.kind === "json")
    parts.push(`-H "Content-Type: application/json"`, `-d ${quoted(json(body.value))}`);
  if (body?.kind === "form")
    parts.push(...body.fields.map(([name, value]) => `-d ${quoted(`${name}=${value}`)}`));
  if (body?.kind === "upload")
    parts.push(
      `-F ${quoted(body.text === null ? `file=@${body.name}` : `file=${body.text};filename=${body.name}`)}`,
      ...(body.options === undefined ? [] : [`-F ${quoted(`options=${JSON.stringify(body.options)}`)}`]),
    );
  return parts.join(" \\\n  ");
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
