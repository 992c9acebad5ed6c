/** The languages of everything that readers see: public pages, the end of mails, and confirmation mails. */
export const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl"] as const;

/** An ISO 639-1 code, which is also the page's `lang`. */
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language =>
  LANGUAGES.some((language) => language === value);

/**
 * The language that a reader prefers (RFC 9110, 12.5.4), for pages that belong to no known workspace. English
 * if none of theirs exists here.
 */
export function preferredLanguage(acceptLanguage: string | null): Language {
  let best: { readonly language: Language; readonly weight: number } | null = null;
  for (const range of (acceptLanguage ?? "").slice(0, RANGES_LENGTH_MAX).split(",")) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const language = tag.split("-")[0];
    if (!isLanguage(language)) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? "en";
}

const RANGES_LENGTH_MAX = 500;
