import { isoOrNull } from "#core/time/iso.ts";
import { present } from "#core/present.ts";
import { printable, printableJson, printableLines } from "#core/text/printable.ts";
import type { Call } from "./command.ts";
import { failureText } from "./failure-text.ts";
import type { Output } from "./output.ts";

/** A column of a table for people. */
export type Column<T> = { readonly title: string; readonly of: (item: T) => string };

/**
 * The number of rows that are aligned with each other. Aligning more would hold back the first rows of a long
 * list.
 */
const CHUNK = 500;

/**
 * Prints a list of any length: with `--json` an array of what `wire` makes of its items, otherwise a small
 * table.
 * @param none the text for people if the list is empty
 */
export async function printList<T>(
  { json, output }: Call,
  items: AsyncIterable<T> | Iterable<T>,
  wire: (item: T) => object,
  columns: readonly Column<T>[],
  none: string,
): Promise<void> {
  if (json) return writeJsonArray(output, items, wire);
  let printed = 0;
  for await (const chunk of chunksOf(items)) {
    await output.write(tableOf(chunk, columns, printed === 0));
    printed += chunk.length;
  }
  if (printed === 0) await output.write(`${none}\n`);
}

/** One item a line. */
export async function writeJsonArray<T>(
  output: Pick<Output, "write">,
  items: AsyncIterable<T> | Iterable<T>,
  wire: (item: T) => object,
): Promise<void> {
  let start = "[";
  for await (const chunk of chunksOf(items)) {
    await output.write(start + chunk.map((item) => printableJson(wire(item))).join(",\n"));
    start = ",\n";
  }
  await output.write(start === "[" ? "[]\n" : "]\n");
}

/** Prints one result: with `--json` that object, otherwise the given text. */
export async function printResult({ json, output }: Call, wire: object, text: string): Promise<void> {
  await output.write(json ? `${printableJson(wire)}\n` : `${printableLines(text)}\n`);
}

/**
 * `printResult` for what is shown only this once, such as a key.
 * @param unseen what was done although nobody has seen it, and how to get another: said if it cannot be printed
 */
export async function printOnce(call: Call, wire: object, text: string, unseen: string): Promise<void> {
  try {
    await printResult(call, wire, text);
  } catch (error) {
    throw new Error(`${failureText(error)}. ${unseen}`, { cause: error });
  }
}

/** Titles and texts, one pair a line. */
export function pairs(rows: readonly (readonly [string, string])[], indent = ""): string {
  const width = Math.max(...rows.map(([title]) => title.length));
  return rows
    .map(([title, text]) => `${indent}${title.padEnd(width)}  ${printable(text)}`.trimEnd())
    .join("\n");
}

async function* chunksOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function tableOf<T>(items: readonly T[], columns: readonly Column<T>[], withTitles: boolean): string {
  const titles = withTitles ? [columns.map(({ title }) => title)] : [];
  const rows = [...titles, ...items.map((item) => columns.map(({ of }) => printable(of(item))))];
  const widths = columns.map((_, index) =>
    Math.max(...rows.map((row) => present(row[index], "cell in a column").length)),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(present(widths[index], "width of a column")))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** A time that both people and programs can read; empty for "never". */
export const timeText = (at: number | null): string => isoOrNull(at) ?? "";
