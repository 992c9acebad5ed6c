/**
 * A cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"): it begins with `=`, `+`, `-`,
 * `@`, one of their full-width forms, a tab or a line end. The same after a `;`, which begins the next cell
 * in many European spreadsheets. There our quotes do not hold a cell together, so a line end within it begins
 * a row, and where tabs separate, a tab begins a cell: behind these too no formula may begin.
 *
 * `+ada@example.com` is a valid address, so the guard must be removable. Therefore exactly one `'` goes in
 * front, and a cell that already has one gets one more: `unguardCell` returns exactly what `guardCell` was
 * given. No `'` goes between CR and LF: an import reads both as one LF before it takes the guard off.
 */
const RUNS = /(?<=^|;)'*[=+\-@＝＋－＠\t\r\n]|(?<=[\t\r\n])'*[=+\-@＝＋－＠]/g;
const GUARDED = /(?<=^|;)'('*[=+\-@＝＋－＠\t\r\n])|(?<=[\t\r\n])'('*[=+\-@＝＋－＠])/g;

/** For a file that we write. */
export const guardCell = (text: string): string => text.replace(RUNS, "'$&");

/**
 * The first line of a CSV that we write. Its names are our own or those of attributes, so none needs quotes, and
 * scripts that compare the line find it as the contract writes it.
 */
export const csvHeader = (names: readonly string[]): string => `${names.join(",")}\r\n`;

/** Any other line of a CSV that we write (RFC 4180): every cell in quotes. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${guardCell(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;

/** For a file that we read. A cell that really began with `'=x` and that nobody guarded loses its quote. */
export const unguardCell = (text: string): string =>
  text.includes("'") ? text.replace(GUARDED, "$1$2") : text;
