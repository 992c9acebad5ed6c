/** Text in encodings that the platform only reads: each character is found among all that an encoding has. */
import type { Encoding } from "#imports/csv/encoding.ts";

const tables = new Map<Encoding, ReadonlyMap<string, readonly number[]>>();

/** @throws where the encoding has no such character */
export function encoded(encoding: Encoding, text: string): Buffer {
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

function tableOf(encoding: Encoding): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding);
  const add = (...bytes: number[]): void => {
    const character = decoder.decode(Uint8Array.from(bytes));
    const isOne = [...character].length === 1 && character !== "\uFFFD";
    if (isOne && !table.has(character)) table.set(character, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add(byte);
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add(first, second);
  return table;
}
