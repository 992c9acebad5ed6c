import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/**
 * Reads the query parameter `include`: the names of members that an answer has only on request
 * (docs/decisions.md "HTTP"), each once, with commas between them. An empty one asks for nothing.
 */
export function parseInclude<Name extends string>(
  text: string | undefined,
  known: readonly Name[],
): Result<ReadonlySet<Name>> {
  if (text === undefined || text === "") return accept(new Set());
  const asked = text.split(",");
  const names = known.filter((one) => asked.includes(one));
  return names.length < asked.length
    ? invalid(`\`include\` takes ${known.map((one) => `\`${one}\``).join(" or ")}, not ${quoted(text)}.`)
    : accept(new Set(names));
}
