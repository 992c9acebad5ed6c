/** The name of a time zone in the spelling of the IANA database; undefined if the runtime knows no such zone. */
export function zoneName(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
