import type { Database } from "bun:sqlite";
import type { Effect } from "#automations/run/step-outcome.ts";
import { decideOnOptOut } from "#contacts/consent.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Trigger } from "#core/trigger.ts";
import type { Whose } from "./automation-facts.ts";
import { attributeWrites } from "#storage/sqlite/attributes/attribute-writes.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { listDepartures } from "#storage/sqlite/lists/list-departures.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { lists } from "#storage/sqlite/schema/schema.ts";
import { searchTextOf } from "#storage/common/search-text.ts";
import { contactFacts } from "#storage/sqlite/webhooks/contact-facts.ts";
import { startWrites } from "./start-writes.ts";

const NO_ORIGIN = { source: "admin", formId: null, clientAddress: null, userAgent: null } as const;

type Change = Exclude<Effect, { kind: "sendEmail" }>;

/**
 * What a step changes about its contact, on the transaction that moves the run. A tag that is gained is a
 * trigger, one deeper than the run.
 */
export function effectWrites(sqlite: Database) {
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
  const optOut = optOuts(sqlite);
  const startsOf = startWrites(sqlite);
  const facts = contactFacts(sqlite);

  return (effect: Change, whose: Whose & { readonly depth: number }, contact: Contact, at: number): void => {
    const { workspace, contact: seq } = whose;
    const rewritten = (): void =>
      facts.rewritten(workspace, seq, { before: contact.status, after: contact.status, at });
    const caused = (trigger: Trigger) =>
      startsOf(workspace)(seq, [trigger], { event: null, depth: whose.depth + 1, at });
    switch (effect.kind) {
      case "addTag":
        setTags.run(JSON.stringify([...contact.tags, effect.tag]), seq);
        rewritten();
        return caused({ kind: "tag_added", tag: effect.tag });
      case "removeTag":
        setTags.run(JSON.stringify(contact.tags.filter((tag) => tag !== effect.tag)), seq);
        return rewritten();
      case "setField": {
        const firstName = effect.field === "firstName" ? effect.value : contact.firstName;
        const lastName = effect.field === "lastName" ? effect.value : contact.lastName;
        setNames.run(firstName, lastName, searchTextOf(contact.email, firstName, lastName), seq);
        return rewritten();
      }
      case "setAttribute":
        writeAttributes(workspace, [{ contact: seq, before: contact.attributes, after: effect.attributes }]);
        return rewritten();
      case "addToList":
        join.run(effect.listId, workspace, seq, at);
        return;
      case "removeFromList": {
        const list = listOf.get(effect.listId, workspace);
        if (list !== null) departures.leave(seq, list.seq, at);
        return;
      }
      case "unsubscribe":
        return optOut(workspace, seq, contact, at);
      default:
        // The compiler names this place for an effect that nobody writes.
        effect satisfies never;
    }
  };
}

/** An opt-out like any other, and logged like one. A step is only performed for who is not out yet. */
function optOuts(sqlite: Database) {
  const { carryOut } = consentWrites(sqlite);
  return (workspace: number, seq: number, contact: Contact, at: number): void => {
    const standing = { seq, id: contact.id, email: contact.email, status: contact.status };
    const decision = decideOnOptOut({ current: contact.status, suppression: null });
    const mailed = { contact: standing, contactId: contact.id, address: contact.email };
    carryOut(workspace, mailed, decision, { ...NO_ORIGIN, at });
  };
}
