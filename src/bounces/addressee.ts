import { domainOf } from "#core/addresses/email-address.ts";
import { readReturnAddress, type ReturnPurpose } from "#deliveries/return-address.ts";
import { storedAddress } from "#bounces/reading/report-address.ts";
import type { BounceStore } from "./store.ts";

/** Mailboxes for complaints, by RFC 2142 and by custom. */
const COMPLAINT_BOXES = new Set(["abuse", "fbl"]);

/** Which kind of mail an address takes. */
export type Addressee = { readonly kind: ReturnPurpose | "complaints" };

/** Decides which addresses are ours, and what each of them takes. */
export function ownAddresses({
  bounces,
  secret,
}: {
  readonly bounces: Pick<BounceStore, "findMessage" | "complaintsGoTo">;
  readonly secret: Uint8Array;
}) {
  /** The workspaces that take complaints at an address; none if it takes no complaints. */
  const complaintsAt = async (address: string): Promise<readonly string[]> => {
    const [stored] = storedAddress(address);
    if (stored === undefined || !COMPLAINT_BOXES.has(stored.slice(0, stored.lastIndexOf("@")))) return [];
    return await bounces.complaintsGoTo(domainOf(stored));
  };

  /** Which kind of mail an address of ours takes; null if the address is not ours. */
  const addressee = async (address: string): Promise<Addressee | null> => {
    const target = readReturnAddress(secret, address);
    if (target !== null)
      return (await bounces.findMessage(target.message)) === null ? null : { kind: target.purpose };
    return (await complaintsAt(address)).length > 0 ? { kind: "complaints" } : null;
  };

  /** The workspace that takes complaints at these addresses; null if there is none, or more than one. */
  const complaintsOf = async (addresses: readonly string[]): Promise<string | null> => {
    const owners = new Set((await Promise.all(addresses.map(complaintsAt))).flat());
    const [owner = null] = owners;
    return owners.size === 1 ? owner : null;
  };

  const isForAnybody = async (addresses: readonly string[]): Promise<boolean> =>
    (await Promise.all(addresses.map(addressee))).some((found) => found !== null);

  return { addressee, isForAnybody, complaintsOf };
}
