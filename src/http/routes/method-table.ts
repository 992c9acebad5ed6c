/**
 * Which methods a path accepts. Elysia can only say "no such route", not "wrong method". The table is used for
 * wrong addresses only, so its patterns are made at the first use.
 */
export type MethodTable = { methodsOf(path: string): string[] };

export function methodTable(routes: readonly { method: string; path: string }[]): MethodTable {
  let patterns: Pattern[] | null = null;
  return {
    methodsOf(path) {
      patterns ??= patternsOf(routes);
      const methods = new Set<string>();
      for (const pattern of patterns) {
        if (pattern.matches.test(path)) for (const method of pattern.methods) methods.add(method);
      }
      return [...methods].toSorted();
    },
  };
}

type Pattern = { readonly matches: RegExp; readonly methods: Set<string> };

function patternsOf(routes: readonly { method: string; path: string }[]): Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const { method, path } of routes) {
    const known = patterns.get(path) ?? { matches: patternOf(path), methods: new Set<string>() };
    known.methods.add(method);
    if (method === "GET") known.methods.add("HEAD");
    patterns.set(path, known);
  }
  return [...patterns.values()];
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("/")}/?$`);
}
