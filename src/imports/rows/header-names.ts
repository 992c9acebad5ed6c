/**
 * The names of a file's columns, each once: where two have the same, the later ones are called `Name (2)`, `Name (3)`. So
 * a mapping can say what each becomes. Columns without a name stay so.
 */
export function headerNames(names: readonly string[]): string[] {
  const headers = names.map((name) => name.trim());
  const taken = new Set(headers);
  const seen = new Set<string>();
  return headers.map((header) => {
    if (header === "" || !seen.has(header)) {
      seen.add(header);
      return header;
    }
    for (let n = 2; ; n++) {
      const free = `${header} (${n})`;
      if (taken.has(free)) continue;
      taken.add(free);
      return free;
    }
  });
}
