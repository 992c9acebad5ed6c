import { domainOf } from "#core/email-address.ts";
import { readReturnAddress, type ReturnPurpose } from "#deliveries/return-address.ts";
import { storedAddress } from "./delivery-status.ts";
import type { BounceStore } from "./store.ts";

/** Mailboxes for complaints, by RFC 2142 and by custom. */
const COMPLAINT_BOXES = new Set(["abuse", "fbl"]);

/** What an address takes. */
export type Addressee = { readonly kind: ReturnPurpose | "complaints" };

/** Which addresses are ours. */
export function addressBook({
  bounces,
  secret,
}: {
  readonly bounces: Pick<BounceStore, "findMessage" | "takesComplaints">;
  readonly secret: Uint8Array;
}) {
  /** Whether an address is one of ours, and what it takes; null: nobody's. */
  const addressee = async (address: string): Promise<Addressee | null> => {
    const target = readReturnAddress(secret, address);
    if (target !== null)
      return (await bounces.findMessage(target.message)) === null ? null : { kind: target.purpose };
    const [stored] = storedAddress(address);
    if (stored === undefined || !COMPLAINT_BOXES.has(stored.slice(0, stored.lastIndexOf("@")))) return null;
    return (await bounces.takesComplaints(domainOf(stored))) ? { kind: "complaints" } : null;
  };

  const isForAnybody = async (addresses: readonly string[]): Promise<boolean> =>
    (await Promise.all(addresses.map(addressee))).some((found) => found !== null);

  return { addressee, isForAnybody };
}
