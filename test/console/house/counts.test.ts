/** A number and its word agree: "1 person", "2 people", in every text of the console and in each language. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { de } from "#console/ui/texts/de/index.ts";
import { en } from "#console/ui/texts/en/index.ts";

const UI = join(import.meta.dir, "../../../src/console/ui");
const sources = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: UI })].map((path) => readFileSync(`${UI}/${path}`, "utf8"));

/** Said alike of one and of many, because no word in them has a form of its own for one. */
const SAME_FOR_ALL = {
  en: /cameNew|otherNumber|wereSo|endOthers|attempts|onlyFirst|problemsCount|figures|chosen|chooseAll|seePeople|working|did\.|couldNot|sentOf|progress|left|rate|whyNot|size/,
  de: /cameNew|otherNumber|wereSo|endOthers|attempts|onlyFirst|problemsCount|figures|chosen|chooseAll|seePeople|working|did\.|sentOf|progress|left|rate|whyNot|size|errors/,
};
/** A condition alone is shown as it is, so these are of two or more. */
const NEVER_ONE = /^automations\.summary\.(?:all|any)$/;

type Say = (...values: readonly unknown[]) => string;

/** Every text that is made of something, by its place in the catalogue. */
function madeTexts(catalogue: object, under = ""): [path: string, say: Say][] {
  return Object.entries(catalogue).flatMap(([name, text]: [string, unknown]) => {
    const path = under + name;
    // The server's sentences are not made here.
    if (path === "fromServer") return [];
    if (typeof text === "function") return [[path, text as Say]];
    return typeof text === "object" && text !== null ? madeTexts(text, `${path}.`) : [];
  });
}

/** The text for so many; null where it has no count. */
function saidOf(say: Say, value: number): string | null {
  let isCounted = false;
  const counting = {
    get value() {
      isCounted = true;
      return value;
    },
    get shown() {
      isCounted = true;
      return "#";
    },
  };
  const said = say(counting, counting);
  return isCounted ? said : null;
}

describe.each([
  ["en", en],
  ["de", de],
] as const)("the texts in %s", (language, catalogue) => {
  const counts = madeTexts(catalogue).filter(([, say]) => saidOf(say, 2) !== null);

  test("with a count are found", () => expect(counts.length).toBeGreaterThan(40));

  test("have another form for one, unless none of their words changes", () => {
    const same = counts.filter(([, say]) => saidOf(say, 1) === saidOf(say, 2)).map(([path]) => path);
    const wrong = same.filter(
      (path) => !NEVER_ONE.test(path) && !SAME_FOR_ALL[language].test(path.replace(/^\w+\./, "")),
    );
    expect(wrong).toEqual([]);
  });

  test("say none as they say many, and put the number where it is", () => {
    for (const [path, say] of counts) expect([path, saidOf(say, 0)]).toEqual([path, saidOf(say, 2)]);
  });
});

describe("a count", () => {
  test("comes to its text as one, never as digits that hide whether it is one", () => {
    const asDigits = sources("texts/en/*.ts").flatMap(
      (source) => source.match(/\b(?:n|count|total|done|all|planned): (?:string|number)\b/g) ?? [],
    );
    const written = sources("{screens,parts,audience,letter-editor,frame}/**/*.{ts,tsx}").flatMap(
      (source) =>
        source.match(
          /\.(?!size2|megabytes)\w+\((?:\w+\.)?(?:number|String)\([\w.]+(?:length|[cC]ount|total|remaining)\)/g,
        ) ?? [],
    );
    expect([asDigits, written]).toEqual([[], []]);
  });
});
