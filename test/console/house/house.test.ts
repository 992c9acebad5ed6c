/** The rules for what runs in browsers: src/console/ui. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { EVENT_TYPES as OFFERED } from "#console/ui/screens/settings/webhooks/event-types.ts";
import { EVENT_TYPES } from "#webhooks/event-type.ts";
import { checkCycles, importGraph } from "../../support/house/architecture.ts";
import { codeOnly, importsOf, type SourceFile } from "../../support/house/source-scan.ts";

const ROOT = resolve(import.meta.dir, "../../..");
const UI = "src/console/ui/";

const files: SourceFile[] = [...new Bun.Glob(`${UI}**/*.{ts,tsx}`).scanSync({ cwd: ROOT })]
  .toSorted()
  .map((path) => ({ path, source: readFileSync(`${ROOT}/${path}`, "utf8") }));

const offending = (breaks: (code: string) => boolean): string[] =>
  files
    .filter(({ path, source }) => !path.endsWith(".gen.ts") && breaks(codeOnly(source)))
    .map(({ path }) => path);

describe("what runs in the browser", () => {
  test("is seen", () => expect(files.length).toBeGreaterThan(40));

  test("imports nothing of the server, and its parts by relative paths inside the room", () => {
    const outside = files.flatMap(({ path, source }) =>
      importsOf(source)
        .map(({ specifier }) => specifier)
        .filter((specifier) => {
          if (specifier.startsWith("#") || /^(?:bun|node):/.test(specifier)) return true;
          if (!specifier.startsWith(".")) return false;
          return !new URL(specifier, `file:///${path}`).pathname.slice(1).startsWith(UI);
        })
        .map((specifier) => `${path}: ${specifier}`),
    );
    expect(outside).toEqual([]);
  });

  test("offers webhooks exactly the events that the server tells of", () => {
    expect<readonly string[]>(OFFERED).toEqual(EVENT_TYPES);
  });

  test("asks for the device's memory in one place, because that throws where cookies are blocked", () => {
    expect(offending((code) => /\b(?:local|session)Storage\b/.test(code))).toEqual([
      `${UI}frame/device-memory.ts`,
    ]);
  });

  test("has no cycle of files", () => {
    expect(checkCycles(importGraph(files))).toEqual([]);
  });

  test("makes no HTML of text, and evaluates none", () => {
    const HTML_OF_TEXT =
      /dangerouslySetInnerHTML|\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|\bsrcDoc\b|\bdocument\s*\.\s*write|\beval\s*\(|\bnew\s+Function\b/;
    expect(offending((code) => HTML_OF_TEXT.test(code))).toEqual([]);
  });

  test("asks the server only through the typed client", () => {
    expect(
      offending((code) => /(?<![\w.])fetch\s*\(|XMLHttpRequest|EventSource|WebSocket/.test(code)),
    ).toEqual([]);
  });
});
