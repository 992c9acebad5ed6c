import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "#core/errors.ts";

const MAC_BYTES = 12;

/**
 * Opaque list cursors: a position, sealed for one list of one workspace (`scope`). A cursor of another list,
 * or one that was edited or invented, gives a 422. A cursor names a position and not a row, so it stays valid
 * when that row is deleted.
 */
export class Cursors {
  constructor(private readonly secret: Uint8Array) {}

  seal(scope: string, position: number): string {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(position));
    return Buffer.concat([bytes, this.mac(scope, bytes)]).toString("base64url");
  }

  /**
   * An empty cursor counts as none.
   * @throws AppError VALIDATION_ERROR for a cursor that was not made for this list
   */
  open(scope: string, cursor: string | undefined): number | null {
    if (cursor === undefined || cursor === "") return null;
    const bytes = Buffer.from(cursor, "base64url");
    const canonical = bytes.length === 8 + MAC_BYTES && bytes.toString("base64url") === cursor;
    if (!canonical || !timingSafeEqual(bytes.subarray(8), this.mac(scope, bytes.subarray(0, 8)))) {
      throw new AppError(
        "VALIDATION_ERROR",
        "`after` is not a cursor of this list: pass the `nextCursor` of its previous page, unchanged.",
      );
    }
    return Number(bytes.readBigUInt64BE(0));
  }

  private mac(scope: string, position: Uint8Array): Buffer {
    return createHmac("sha256", this.secret)
      .update(`cursor\0${scope}\0`)
      .update(position)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
