import { closeSync, openSync, readSync } from "node:fs";
import { errorCode } from "#core/errors/error-code.ts";

const PIECE_BYTES = 1024 ** 2;

/** The system's code (`EIO`) if it does not give all of a file; null: it does. */
export function readFault(path: string): string | null {
  try {
    const file = openSync(path, "r");
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    try {
      while (readSync(file, piece) > 0);
      return null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return errorCode(error);
  }
}
