import { describe, expect, test } from "bun:test";
import { LANGUAGES, preferredLanguage } from "#texts/language.ts";
import { filledIn, textsIn, type Texts } from "#texts/texts.ts";

/** Every text of a language by its path, as `unsubscribe.heading`. */
const flat = (texts: Texts): [path: string, text: string][] =>
  Object.entries(texts).flatMap(([page, words]) =>
    Object.entries(words).map(([name, text]): [string, string] => [`${page}.${name}`, text]),
  );
const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();

const ENGLISH = new Map(flat(textsIn("en")));
const OTHERS = LANGUAGES.filter((language) => language !== "en");

/** Words of English that are none of any other language here. */
const ENGLISH_WORDS =
  /\b(?:the|and|you|your|from|this|with|please|press|emails?|unsubscribed?|subscribed?|subscription|sender|what|button|again)\b/i;

describe.each(OTHERS)("the texts in %s", (language) => {
  const texts = flat(textsIn(language));

  test("are all there, in the same order", () => {
    expect(texts.map(([path]) => path)).toEqual([...ENGLISH.keys()]);
  });

  test.each(texts)("%s has the same places, each once, and no English", (path, text) => {
    const places = placesOf(text);
    expect(places).toEqual(placesOf(ENGLISH.get(path)!));
    expect(new Set(places).size).toBe(places.length);
    expect(text.replaceAll(/\{\w+\}/g, "")).not.toMatch(/[{}]/);
    expect(text).not.toBe(ENGLISH.get(path)!);
    expect(text.replaceAll(/\{\w+\}|ada@example\.com/g, "")).not.toMatch(ENGLISH_WORDS);
  });

  test.each(texts)(
    "%s has no double space, straight quote or three dots, and ends as the English does",
    (path, text) => {
      expect(text).toBe(text.trim());
      expect(text).not.toMatch(/ {2}|["']|\.\.\./);
      // A sentence stays a sentence, a label a label.
      const end = (of: string): string => /[.?!:)]$/.exec(of)?.[0] ?? "";
      expect(end(text).replace("!", ".")).toBe(end(ENGLISH.get(path)!).replace("!", "."));
      if (language === "fr") expect(text).not.toMatch(/ [?!:;»]|« /);
      if (language === "es" && text.endsWith("?")) expect(text).toContain("¿");
      if (language === "es" && text.includes("!")) expect(text).toContain("¡");
    },
  );

  test("name a link as the footer does", () => {
    const { brokenLink, footer, unsubscribe, confirm } = textsIn(language);
    expect(brokenLink.wayOut).toContain(footer.unsubscribe);
    expect(unsubscribe.button).toBe(footer.unsubscribe);
    expect(confirm.button).not.toBe(unsubscribe.button);
  });
});

describe("a text", () => {
  test("takes its values as they are: what looks like a place in a value stays", () => {
    expect(filledIn("{a} and {b}, {a}", { a: "{b}", b: "$&<i>" })).toBe("{b} and $&<i>, {b}");
    expect(filledIn("{none}{}", {})).toBe("{}");
  });
});

describe("the language of a reader's browser", () => {
  test.each([
    [null, "en"],
    ["", "en"],
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["EN-GB", "en"],
    ["sv,ja;q=0.9", "en"],
    ["sv, pl;q=0.7, it;q=0.8", "it"],
    ["fr;q=0, nl;q=0.1", "nl"],
    ["fr;q=x, es;q=0.5", "es"],
    ["*", "en"],
    [`${"x,".repeat(10_000)}de`, "en"],
  ] as const)("%p is %s", (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});
