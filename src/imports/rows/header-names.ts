/**
 * The names of a file's columns, each once: where two have the same, the later ones are called `Name (2)`,
 * `Name (3)`. So a mapping can say what each becomes. Columns without a name stay so.
 */
export function headerNames(names: readonly string[]): string[] {
  const headers = names.map((name) => name.trim());
  const taken = new Set(headers);
  const seen = new Set<string>();
  /** By header, because counting up from 2 each time would be too slow for ten thousand columns of one name. */
  const nextOf = new Map<string, number>();
  return headers.map((header) => {
    if (header === "" || !seen.has(header)) {
      seen.add(header);
      return header;
    }
    for (let n = nextOf.get(header) ?? 2; ; n++) {
      const free = `${header} (${n})`;
      if (taken.has(free)) continue;
      taken.add(free);
      nextOf.set(header, n + 1);
      return free;
    }
  });
}
