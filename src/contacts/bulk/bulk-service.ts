import type { Clock } from "#core/time/clock.ts";
import { accept, notFound, refuse, type Result } from "#core/errors/errors.ts";
import { resultOfEach } from "#core/errors/result-of-each.ts";
import type { NewId } from "#core/ids.ts";
import type { ConsentOrigin } from "#contacts/consent/consent-entry.ts";
import type { NewContact } from "#contacts/contact-input.ts";
import { planPost } from "#contacts/contact-plan.ts";
import type { ContactStore, Upserted } from "#contacts/store.ts";
import { writeWeight } from "#contacts/write-weight.ts";
import type { Log } from "#log.ts";

/** One write of the queue, which nobody can interrupt: some milliseconds' work (`writeWeight`). */
const WEIGHT_A_WRITE = 100;

export type BulkOptions = {
  /** The list to add those to who may join lists. */
  readonly listId: string | undefined;
  /** Whether new subscribers and gained tags start automations. */
  readonly startsAutomations: boolean;
  readonly origin: ConsentOrigin;
};

export type BulkContactService = ReturnType<typeof bulkContactService>;

export function bulkContactService(parts: {
  contacts: Pick<ContactStore, "upsertAll" | "rowsForWebhooks">;
  clock: Clock;
  newId: NewId;
  log: Log;
}) {
  const { contacts, clock, newId, log } = parts;

  return {
    /**
     * Creates or changes many, each by the rules of POST /contacts (docs/contract.md "Many at once"), in the order
     * given. What is answered is on the disk. One that cannot be written does not stop the others.
     * @throws AppError NOT_FOUND if there is no such list; else what all of them failed of. Then nothing was written
     */
    async upsertAll(
      workspaceId: string,
      people: readonly NewContact[],
      { listId, startsAutomations, origin }: BulkOptions,
    ): Promise<Result<Upserted>[]> {
      const now = clock.now();
      const withId = (input: NewContact) => ({
        email: input.email,
        input,
        fresh: { id: newId("ct"), createdAt: now },
        setsAttributes: input.attributes !== undefined,
      });
      const rowsForWebhooks = await contacts.rowsForWebhooks(workspaceId);
      const slices = slicesOf(people, rowsForWebhooks).map((slice) => slice.map(withId));
      const joining = listId === undefined ? null : { listId, at: now };
      const ended = await contacts.upsertAll(workspaceId, slices, joining, ({ input }, found) => {
        const planned = planPost(found, input, origin, now);
        return startsAutomations || !planned.ok ? planned : accept({ ...planned.value, triggers: [] });
      });
      const written = resultOfEach(ended, (error) => log.error("contacts could not be written", { error }));
      if (listId !== undefined && written.every((slice) => slice.ok && slice.value === null))
        throw notFound(`The list ${listId}`);
      return written.flatMap((slice, i) => {
        if (slice.ok && slice.value !== null) return slice.value;
        // If the list was deleted in between, nobody joins it any more, and the slices after that were not written.
        const refused = slice.ok ? refuse("NOT_FOUND", `The list ${listId} was deleted meanwhile.`) : slice;
        return (slices[i] ?? []).map(() => refused);
      });
    },
  };
}

/** At least one slice, so that the list is looked up even if nobody is left to be written. */
function slicesOf(people: readonly NewContact[], rowsForWebhooks: number): NewContact[][] {
  let slice: NewContact[] = [];
  const slices = [slice];
  let weight = 0;
  for (const person of people) {
    const own = writeWeight(person, rowsForWebhooks);
    weight += own;
    if (weight > WEIGHT_A_WRITE && slice.length > 0) {
      slices.push((slice = []));
      weight = own;
    }
    slice.push(person);
  }
  return slices;
}
