/**
 * A cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"): one that begins with `=`, `+`, `-`, `@`, their full-width
 * forms, a tab or a line end, also behind a `;`, where a spreadsheet of half of Europe begins its next cell. `+ada@example.com` is an
 * address all the same, so what guards it must come off again: exactly one `'` goes in front, and cells that have that already get
 * one more, so that `unguardCell` gives back whatever `guardCell` was given.
 */
const RUNS = /(^|;)('*[=+\-@＝＋－＠\t\r\n])/g;
const GUARDED = /(^|;)'('*[=+\-@＝＋－＠\t\r\n])/g;

/** For a file that leaves the house. */
export const guardCell = (text: string): string => text.replace(RUNS, "$1'$2");

/** For a file that comes in. A cell that really began so, `'=x`, loses its quote where nobody guarded it. */
export const unguardCell = (text: string): string => text.replace(GUARDED, "$1$2");
