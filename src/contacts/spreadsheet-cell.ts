/**
 * A cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"): it begins with `=`, `+`, `-`,
 * `@`, one of their full-width forms, a tab or a line end. The same after a `;`, which begins the next cell
 * in many European spreadsheets.
 *
 * `+ada@example.com` is a valid address, so the guard must be removable. Therefore exactly one `'` goes in
 * front, and a cell that already has one gets one more: `unguardCell` returns exactly what `guardCell` was
 * given.
 */
const RUNS = /(^|;)('*[=+\-@＝＋－＠\t\r\n])/g;
const GUARDED = /(^|;)'('*[=+\-@＝＋－＠\t\r\n])/g;

/** For a file that we write. */
export const guardCell = (text: string): string => text.replace(RUNS, "$1'$2");

/** A line of a CSV that we write (RFC 4180): every cell in quotes. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${guardCell(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;

/** For a file that we read. A cell that really began with `'=x` and that nobody guarded loses its quote. */
export const unguardCell = (text: string): string =>
  text.includes("'") ? text.replace(GUARDED, "$1$2") : text;
