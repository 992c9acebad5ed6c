import type { Instant } from "#core/time/clock.ts";
import { isoOrNull } from "#core/time/iso.ts";
import type { Contact } from "./contact.ts";
import type { ShownOnPages } from "./include.ts";
import { contactWireIn } from "./schema.ts";

type Opens = {
  lastOpens(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
};

/** How the contacts of a page are shown. Their opens are looked up together, and only if they are asked for. */
export async function pageWire(
  contacts: Opens,
  workspaceId: string,
  asked: ShownOnPages,
  items: readonly Contact[],
): Promise<(contact: Contact) => object> {
  const wire = contactWireIn(asked.has("attributes"));
  if (!asked.has("lastOpenedAt")) return wire;
  const opens = await contacts.lastOpens(
    workspaceId,
    items.map(({ id }) => id),
  );
  return (contact) => ({ ...wire(contact), lastOpenedAt: isoOrNull(opens.get(contact.id) ?? null) });
}
