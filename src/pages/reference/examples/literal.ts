/** How a language writes a value. Texts are written as in JSON, which both JavaScript and Python can read. */
export type Notation = {
  readonly indent: string;
  name(name: string): string;
  word(value: boolean | null): string;
};

/** A JSON value as source text. `depth` is the indentation level of its line. */
export function literal(value: unknown, notation: Notation, depth: number): string {
  if (typeof value === "string" || typeof value === "number") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return notation.word((value as boolean | null) ?? null);
  const inner = (entry: unknown): string => literal(entry, notation, depth + 1);
  const entries = Array.isArray(value)
    ? value.map(inner)
    : Object.entries(value).map(([name, member]) => `${notation.name(name)}: ${inner(member)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (entries.length === 0) return `${open}${close}`;
  const lines = entries.map((entry) => `${notation.indent.repeat(depth + 1)}${entry},\n`);
  return `${open}\n${lines.join("")}${notation.indent.repeat(depth)}${close}`;
}
