/**
 * A language with the person's country, if the browser names one: `en-GB` has its own dates.
 * @param preferred the languages that the browser names
 */
export const localeOf = (language: string, preferred: readonly string[]): string =>
  preferred.find((name) => name.split("-")[0] === language && isTag(name)) ?? language;

/** Chromium names `en-US@posix` where its system has no language: every format throws on that. */
function isTag(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}
