import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/**
 * Reads the query parameter `include`: the names of members that an answer has only on request
 * (docs/decisions.md "HTTP"). An empty one asks for nothing.
 */
export function parseInclude<Name extends string>(
  text: string | undefined,
  known: readonly Name[],
): Result<ReadonlySet<Name>> {
  if (text === undefined || text === "") return accept(new Set());
  const name = known.find((one) => one === text);
  return name === undefined
    ? invalid(`\`include\` takes ${known.map((one) => `\`${one}\``).join(" or ")}, not ${quoted(text)}.`)
    : accept(new Set([name]));
}
