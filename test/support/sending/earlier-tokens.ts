import { createHmac } from "node:crypto";
import type { Purpose } from "#deliveries/token.ts";

/** As used in the MAC of a message. */
export const PURPOSES: readonly Purpose[] = ["open", "click", "unsubscribe"];

/** A token as earlier versions made it, in 32 characters: eight bytes of the number, sixteen of the MAC. */
export function earlierToken(secret: Uint8Array, purpose: Purpose, message: number): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(message));
  const mac = createHmac("sha512", secret).update("message\0").update(number).digest();
  const at = PURPOSES.indexOf(purpose) * 16;
  return Buffer.concat([number, mac.subarray(at, at + 16)]).toString("base64url");
}
