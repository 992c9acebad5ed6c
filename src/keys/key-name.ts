import type { Result } from "#core/errors/errors.ts";
import { parseNameLine } from "#core/text/name-text.ts";

/** The name of a new key: trimmed, one line of at most 200 characters. Without a name: `API key`. */
export const parseKeyName = (text: string | undefined): Result<string> =>
  parseNameLine("name", text ?? "", "API key");
