import { withPath } from "#core/errors/naming.ts";
import { printable, printableLines } from "#core/text/printable.ts";

/** Where a command writes: results to standard output, everything else to standard error. */
export type Output = {
  /**
   * Resolves when the reader has taken the text, so that a long list does not fill the memory. On a terminal,
   * control characters are made harmless (a CSV of names holds what strangers typed). A file or a pipe gets
   * the text, or the bytes, unchanged.
   */
  write(written: string | Uint8Array): Promise<void>;
  warn(line: string): void;
  /** Writes to standard error without changes, for a progress line. */
  progress(text: string): void;
  /** Whether standard error is a terminal. */
  readonly onTerminal: boolean;
};

/** Standard output or standard error. */
export type Stream = {
  readonly isTTY?: boolean;
  write(written: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
};

export const outputTo = (standardOutput: Stream, standardError: Stream): Output => ({
  write: (written) =>
    new Promise((resolve, reject) => {
      const shown = standardOutput.isTTY === true ? printableLines(textOf(written)) : written;
      standardOutput.write(shown, (error) =>
        error ? reject(withPath(error, "standard output")) : resolve(),
      );
    }),
  warn: (line) => {
    standardError.write(`postrider: ${oneLine(line)}\n`);
  },
  progress: (text) => {
    standardError.write(text);
  },
  onTerminal: standardError.isTTY === true,
});

const textOf = (written: string | Uint8Array): string =>
  typeof written === "string" ? written : new TextDecoder().decode(written);

/** Puts any message on one line. */
function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*[\r\n\u2028\u2029]+\s*/g, " "));
}
