import type { Database } from "bun:sqlite";
import { BY_AUTOMATION } from "#automations/run/step/contact-effect.ts";
import type { ContactChange } from "#automations/run/step/step-outcome.ts";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Whose } from "./automation-facts.ts";
import { attributeWrites } from "#storage/sqlite/attributes/attribute-writes.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { inOneTurn } from "#storage/sqlite/engine/writes/in-slices.ts";
import { listDepartures } from "#storage/sqlite/lists/list-departures.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { lists } from "#storage/sqlite/schema/schema.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";
import { contactOutbox } from "#storage/sqlite/webhooks/contact-outbox.ts";
import { startWrites } from "./start-writes.ts";

/** Whether webhooks get it as an update. An opt-out has its own message; lists are not part of the contact. */
const IS_UPDATE: Readonly<Record<ContactChange["kind"], boolean>> = {
  addTag: true,
  removeTag: true,
  setField: true,
  setAttribute: true,
  addToList: false,
  removeFromList: false,
  unsubscribe: false,
};

/**
 * Writes what a step changes in its contact. It throws `TooLongForATurn` for an opt-out that is long
 * (run/long-opt-out.ts). `whose` also says how deep what it starts is in a chain of automations.
 */
type Carry = (effect: ContactChange, whose: WhoseRun, contact: Contact) => void;
type WhoseRun = Whose & { readonly depth: number };

/**
 * Writes what steps change in their contacts, in the transaction that moves their runs. A tag that is added is a
 * trigger.
 */
export function effectWrites(sqlite: Database): (workspace: number, at: number) => Carry {
  const carryOut = rowWrites(sqlite);
  const startsOf = startWrites(sqlite);
  const outbox = contactOutbox(sqlite);

  /** For the changes of one transaction: listeners are looked up only once. */
  return (workspace: number, at: number): Carry => {
    const start = startsOf(workspace);
    const rewritten = outbox.rewriting(workspace);
    return (effect, whose, contact) => {
      carryOut(effect, whose, contact, at);
      const { status } = contact;
      if (IS_UPDATE[effect.kind]) rewritten(whose.contact, { before: status, after: status, at });
      if (effect.kind === "addTag")
        start(whose.contact, [{ kind: "tag_added", tag: effect.tag }], {
          event: null,
          depth: whose.depth,
          at,
        });
    };
  };
}

/**
 * The contact's rows. `contactWriteOf` says the same for a whole contact. Here only what changed is written, because
 * very many runs may fall due at once (bench `automations`).
 */
function rowWrites(sqlite: Database) {
  const setTags = sqlite.query<null, [string, number]>("UPDATE contacts SET tags = ? WHERE seq = ?");
  const setNames = sqlite.query<null, [string, string, string, number]>(
    "UPDATE contacts SET first_name = ?, last_name = ?, search = ? WHERE seq = ?",
  );
  const join = sqlite.query<null, [string, number, number, number]>(
    `INSERT INTO list_members (list, status, contact, added_at)
     SELECT l.seq, c.status, c.seq, ?4 FROM lists AS l CROSS JOIN contacts AS c WHERE l.id = ?1 AND l.workspace = ?2 AND c.seq = ?3
     ON CONFLICT DO NOTHING`,
  );
  const listOf = sqlite.query<Row<typeof lists, "seq">, [string, number]>(
    "SELECT seq FROM lists WHERE id = ? AND workspace = ?",
  );
  const departures = listDepartures(sqlite);
  const writeAttributes = attributeWrites(sqlite);
  const optOut = automationOptOut(sqlite);

  return (effect: ContactChange, { workspace, contact: seq }: Whose, contact: Contact, at: number): void => {
    switch (effect.kind) {
      case "addTag":
        setTags.run(JSON.stringify([...contact.tags, effect.tag]), seq);
        return;
      case "removeTag":
        setTags.run(JSON.stringify(contact.tags.filter((tag) => tag !== effect.tag)), seq);
        return;
      case "setField": {
        const firstName = effect.field === "firstName" ? effect.value : contact.firstName;
        const lastName = effect.field === "lastName" ? effect.value : contact.lastName;
        setNames.run(firstName, lastName, searchTextOf(contact.email, firstName, lastName), seq);
        return;
      }
      case "setAttribute":
        writeAttributes(workspace, [{ contact: seq, before: contact.attributes, after: effect.attributes }]);
        return;
      case "addToList":
        join.run(effect.listId, workspace, seq, at);
        return;
      case "removeFromList": {
        const list = listOf.get(effect.listId, workspace);
        if (list !== null) departures.leave(seq, list.seq, at);
        return;
      }
      case "unsubscribe":
        return inOneTurn(optOut(workspace, seq, contact, at));
      default:
        // The compiler reports this line if an effect is not handled.
        effect satisfies never;
    }
  };
}

/** An opt-out like any other, and logged like one. It yields where the contact is on very many lists. */
export const automationOptOut = oncePerDatabase((sqlite) => {
  const { leaveMany, carryOut } = consentWrites(sqlite);
  return function* (
    workspace: number,
    seq: number,
    contact: Contact,
    at: number,
  ): Generator<void, void, void> {
    const standing = { seq, id: contact.id, email: contact.email, status: contact.status };
    const decision = decideOnOptOut({ current: contact.status, suppression: null, hasWithdrawn: true });
    const mailed = { contact: standing, contactId: contact.id, address: contact.email };
    yield* leaveMany(standing, decision, at);
    carryOut(workspace, mailed, decision, { ...BY_AUTOMATION, at });
  };
});
