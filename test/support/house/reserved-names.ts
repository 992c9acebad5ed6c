import type { Violation } from "./architecture.ts";
import { type SourceFile, codeOnly } from "./source-scan.ts";

/** A method that has such a name, as sockets do, is none of them. */
const TIME =
  /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^\s)])|(?<!\bnew\s+)(?<![\w.$])Date\s*\(|(?<![\w.$])(?:globalThis\s*\.\s*)?set(?:Timeout|Interval)\b(?!\(\w+: )|\bperformance\s*\.\s*now\b|\bBun\s*\.\s*(?:sleep|sleepSync|nanoseconds)\b|\bprocess\s*\.\s*(?:hrtime|uptime)\b/;
const CHANCE = /\bMath\s*\.\s*random\b|\b(?:crypto|Bun)\s*\.\s*(?:getRandomValues|random\w+)\b/;
const ENVIRONMENT =
  /\b(?:Bun|process)\s*\??\.\s*env\b|\bimport\.meta\.env\b|\benv\b[^{}=]*\}\s*=\s*(?:Bun|process)\b|\bimport\b[^;]*\benv\b[^;]*\bfrom\s*["']/;

/** Names that only the given files may use. They are searched in code, not in comments or strings. */
const RESERVED: readonly { rule: string; pattern: RegExp; allowed: readonly string[]; instead: string }[] = [
  {
    rule: "time",
    pattern: TIME,
    allowed: ["src/core/time/clock.ts"],
    instead: "pass in a Clock or an Instant",
  },
  { rule: "chance", pattern: CHANCE, allowed: ["src/core/random.ts"], instead: "pass in a Random" },
  {
    rule: "environment",
    pattern: ENVIRONMENT,
    allowed: ["src/commands/line/this-process.ts"],
    instead: "take it from the config, or from the call",
  },
  { rule: "raw SQL", pattern: /\bsql\s*\.\s*raw\b/, allowed: [], instead: "bind values with sql`…`" },
  {
    rule: "async transaction",
    pattern: /\.\s*transaction\s*\(\s*async\b/,
    allowed: [],
    instead: "make the callback synchronous",
  },
];

/** Checks, over the files of src/, who reads time, randomness and the environment, and what no query may do. */
export function checkReserved(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, source }) => {
    const code = codeOnly(source);
    return RESERVED.filter(({ allowed }) => !allowed.includes(path)).flatMap(({ rule, pattern, instead }) => {
      const at = code.search(pattern);
      if (at < 0) return [];
      const line = code.slice(0, at).split("\n").length;
      return [
        { rule, file: `${path}:${line}`, detail: `${source.split("\n")[line - 1]?.trim()}: ${instead}` },
      ];
    });
  });
}
