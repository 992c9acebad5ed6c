/** Which methods a path accepts. Elysia can only say "no such route", not "wrong method". */
export type MethodTable = { methodsOf(path: string): string[] };

export function methodTable(routes: readonly { method: string; path: string }[]): MethodTable {
  const patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();
  for (const { method, path } of routes) {
    const known = patterns.get(path) ?? { matches: patternOf(path), methods: new Set<string>() };
    known.methods.add(method);
    if (method === "GET") known.methods.add("HEAD");
    patterns.set(path, known);
  }
  return {
    methodsOf: (path) => {
      const methods = new Set<string>();
      for (const pattern of patterns.values()) {
        if (pattern.matches.test(path)) for (const method of pattern.methods) methods.add(method);
      }
      return [...methods].toSorted();
    },
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    if (part === "*") return ".*";
    return part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("/")}/?$`);
}
