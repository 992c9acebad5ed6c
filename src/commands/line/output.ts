import { printable, printableLines } from "#core/printable.ts";

/** Where a command writes: what was asked for on standard output, everything else on standard error. */
export type Output = {
  /**
   * Resolves when the reader has taken it, so that a long list does not pile up in memory. On a terminal nothing in it acts (a CSV of names
   * holds what strangers typed); into a file or a pipe it goes as it is.
   */
  write(text: string): Promise<void>;
  warn(line: string): void;
  /** Standard error as it is, for a progress line. */
  progress(text: string): void;
  /** Whether a person watches standard error. */
  readonly onTerminal: boolean;
};

/** Standard output or standard error. */
export type Stream = {
  readonly isTTY?: boolean;
  write(text: string, done?: (error?: Error | null) => void): unknown;
};

export const outputTo = (standardOutput: Stream, standardError: Stream): Output => ({
  write: (text) =>
    new Promise((resolve, reject) => {
      const shown = standardOutput.isTTY === true ? printableLines(text) : text;
      standardOutput.write(shown, (error) => (error ? reject(error) : resolve()));
    }),
  warn: (line) => {
    standardError.write(`postrider: ${oneLine(line)}\n`);
  },
  progress: (text) => {
    standardError.write(text);
  },
  onTerminal: standardError.isTTY === true,
});

/** On one line, whatever a message carries. */
function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*[\r\n\u2028\u2029]+\s*/g, " "));
}
