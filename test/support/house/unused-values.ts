import { type SourceFile, codeOnly, importsOf } from "./source-scan.ts";

const EXPORTED = /^export\s+(?:async\s+)?(?:function\*?|const|let|class)\s+(\w+)/gm;

/**
 * Values that a file of src/ exports, but no code in src/ uses: rules that only tests run, while production
 * does the same elsewhere. Written as `path#name`.
 */
export function unusedValues(files: readonly SourceFile[]): string[] {
  const imported = new Set(files.flatMap(importedNames));
  return files.flatMap(({ path, source }) => {
    const code = codeOnly(source);
    return [...code.matchAll(EXPORTED)].flatMap(([, name = ""]) => {
      const uses = code.match(new RegExp(`\\b${name}\\b`, "g"))?.length ?? 0;
      return uses > 1 || imported.has(`${path}#${name}`) ? [] : [`${path}#${name}`];
    });
  });
}

/**
 * `path#name` for each named import and re-export of a file. `path#*` and every name, if a file is imported
 * as a whole.
 */
function importedNames({ path, source }: SourceFile): string[] {
  const later = [...source.matchAll(/await import\("((?:#|\.\/)[^"]+)"\)\)\.(\w+)/g)].map(
    ([, specifier = "", name = ""]) => `${fileOf(specifier, path)}#${name}`,
  );
  const taken = [...source.matchAll(/const \{ ([^}]*) \} = await import\("((?:#|\.\/)[^"]+)"\)/g)].flatMap(
    ([, names = "", specifier = ""]) =>
      names.split(",").map((name) => `${fileOf(specifier, path)}#${name.trim()}`),
  );
  return [...later, ...taken, ...namesImported({ path, source })];
}

const fileOf = (specifier: string, from: string): string =>
  specifier.startsWith("#")
    ? `src/${specifier.slice(1)}`
    : new URL(specifier, `file:///${from}`).pathname.slice(1);

function namesImported({ path, source }: SourceFile): string[] {
  return importsOf(source).flatMap(({ specifier, clause }) => {
    if (!/^(?:#|\.\/)/.test(specifier)) return [];
    const target = fileOf(specifier, path);
    const space = /\*\s+as\s+(\w+)/.exec(clause)?.[1];
    if (space !== undefined)
      return [...source.matchAll(new RegExp(`\\b${space}\\.(\\w+)`, "g"))].map(
        ([, name]) => `${target}#${name}`,
      );
    const named = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
    return named.split(",").map(
      (part) =>
        `${target}#${
          part
            .trim()
            .replace(/^type\s+/, "")
            .split(/\s+as\s+/)[0]
        }`,
    );
  });
}
