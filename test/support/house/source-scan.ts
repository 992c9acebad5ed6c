/** One file of the project; `path` is relative to its root and uses `/`. */
export type SourceFile = { readonly path: string; readonly source: string };

/**
 * One import or re-export; `clause` is what stands before the module's name (`import type { Clock } from`).
 */
export type ImportStatement = { readonly specifier: string; readonly clause: string };

type Blanked = { readonly end: number; readonly keep: number };

const REGEX_MAY_FOLLOW = /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield))\s*$/;

/**
 * Where the comment, string or regular expression ends that begins at `at`, and how many of its delimiters
 * stay.
 */
function opaqueAt(source: string, at: number): Blanked | undefined {
  const two = source.slice(at, at + 2);
  if (two === "//") return { end: indexOrEnd(source, "\n", at), keep: 0 };
  if (two === "/*") return { end: indexOrEnd(source, "*/", at + 2) + 2, keep: 0 };
  const quote = source[at];
  if (quote === '"' || quote === "'") return { end: closing(source, quote, at), keep: 1 };
  if (quote === "/" && REGEX_MAY_FOLLOW.test(source.slice(Math.max(0, at - 20), at))) {
    return { end: closing(source, "/", at), keep: 1 };
  }
  return undefined;
}

function indexOrEnd(source: string, text: string, from: number): number {
  const index = source.indexOf(text, from);
  return index < 0 ? source.length : index;
}

/** Past the closing delimiter; a `/` inside `[...]` does not close a regular expression. */
function closing(source: string, delimiter: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "\n") return at;
    else if (delimiter === "/" && char === "[") inClass = true;
    else if (delimiter === "/" && char === "]") inClass = false;
    else if (char === delimiter && !inClass) return at + 1;
  }
  return source.length;
}

/**
 * The source without comments, and without the contents of strings, templates and regular expressions. What
 * is left is code, at the same offsets and lines. Code inside `${…}` stays. It knows tokens but no grammar: a
 * regular expression right after `)` is taken for a division.
 */
export function codeOnly(source: string): string {
  const out = source.split("");
  const blank = (from: number, to: number): void => {
    for (let at = from; at < to; at++) if (out[at] !== "\n") out[at] = " ";
  };
  const braces: ("block" | "template")[] = [];
  const template = (from: number): number => {
    for (let at = from; at < source.length; at++) {
      if (source[at] === "\\") blank(at, ++at + 1);
      else if (source[at] === "`") return at + 1;
      else if (source.startsWith("${", at)) return (braces.push("template"), at + 2);
      else blank(at, at + 1);
    }
    return source.length;
  };
  for (let at = 0; at < source.length;) {
    const opaque = opaqueAt(source, at);
    if (opaque) {
      blank(at + opaque.keep, opaque.end - opaque.keep);
      at = opaque.end;
    } else if (source[at] === "`") at = template(at + 1);
    else if (source[at] === "}" && braces.pop() === "template") at = template(at + 1);
    else {
      if (source[at] === "{") braces.push("block");
      at++;
    }
  }
  return out.join("");
}

const STATIC_IMPORT = /^[ \t]*(?:import|export)\b(?:[^;"'`()=]*?\bfrom)?\s*(["'])/gm;
const DYNAMIC_IMPORT = /\bimport\s*\(\s*(["'])/g;

/**
 * Every import with a literal name: static, dynamic, re-exported, `import type` and `import("x").Type` too.
 */
export function importsOf(source: string): ImportStatement[] {
  const code = codeOnly(source);
  return [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const start = match.index + match[0].length;
      const end = code.indexOf(match[1] ?? "", start);
      return { specifier: source.slice(start, end), clause: code.slice(match.index, start - 1).trim() };
    }),
  );
}
