import { parseColour } from "#core/colour.ts";
import { isLoopback } from "#core/addresses/loopback.ts";
import { hasControlCharacter } from "#core/text/text.ts";
import { isLanguage, LANGUAGES, type Language } from "#texts/language.ts";
import { textKind } from "./setting-values.ts";

export const language = textKind<Language>(`one of ${LANGUAGES.join(", ")}`, (text) => {
  const code = text.toLowerCase();
  return isLanguage(code) ? code : undefined;
});

/** Stored as `#rrggbb`. */
export const colour = textKind("a colour such as #1f56c3, rgb(31, 86, 195) or navy, or empty", (text) =>
  text === "" ? "" : (parseColour(text) ?? undefined),
);

const ADDRESS_MAX = 1_000;

/**
 * An image that a page of ours loads. Only https, so that nobody on the way can change it or see who looks. On this
 * machine itself http too, so that people can try it out with images that Postrider serves.
 */
export const imageAddress = textKind("the https address of an image, or empty", (text) => {
  if (text === "") return "";
  if (text.length > ADDRESS_MAX || hasControlCharacter(text) || /[\s\\"'<>]/.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return isSafe ? url.href : undefined;
});
