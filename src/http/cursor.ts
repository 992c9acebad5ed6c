import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "#core/errors/errors.ts";

const MAC_BYTES = 12;
const NUMBER_BYTES = 8;

/**
 * Opaque list cursors: a position, sealed for one list of one workspace (`scope`). A cursor of another list,
 * or one that was edited or invented, gives a 422. A cursor names a position and not a row, so it stays valid
 * when that row is deleted. A position is one whole number, or as many as its list needs.
 */
export class Cursors {
  constructor(private readonly secret: Uint8Array) {}

  seal(scope: string, position: readonly number[]): string {
    const bytes = Buffer.alloc(NUMBER_BYTES * position.length);
    position.forEach((number, i) => bytes.writeBigInt64BE(BigInt(number), NUMBER_BYTES * i));
    return Buffer.concat([bytes, this.mac(scope, bytes)]).toString("base64url");
  }

  /**
   * The `count` numbers of a position. An empty cursor counts as none.
   * @throws AppError VALIDATION_ERROR for a cursor that was not made for this list
   */
  open(scope: string, cursor: string | undefined, count: number): readonly number[] | null {
    if (cursor === undefined || cursor === "") return null;
    const bytes = Buffer.from(cursor, "base64url");
    const position = bytes.subarray(0, NUMBER_BYTES * count);
    const mac = bytes.subarray(NUMBER_BYTES * count);
    const canonical = mac.length === MAC_BYTES && bytes.toString("base64url") === cursor;
    if (!canonical || !timingSafeEqual(mac, this.mac(scope, position))) {
      throw new AppError(
        "VALIDATION_ERROR",
        "`after` is not a cursor of this list: pass the `nextCursor` of its previous page, unchanged.",
      );
    }
    return Array.from({ length: count }, (_, i) => Number(position.readBigInt64BE(NUMBER_BYTES * i)));
  }

  private mac(scope: string, position: Uint8Array): Buffer {
    return createHmac("sha256", this.secret)
      .update(`cursor\0${scope}\0`)
      .update(position)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
