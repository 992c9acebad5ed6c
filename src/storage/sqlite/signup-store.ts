import type { Database } from "bun:sqlite";
import { domainOf } from "#core/email-address.ts";
import { notFound } from "#core/errors.ts";
import type { ConfirmationContent } from "#forms/confirmation.ts";
import type { SignupStore, StoredConfirmation } from "#forms/store.ts";
import { confirmationWrites } from "./confirmation-writes.ts";
import { consentWrites } from "./consent-writes.ts";
import { contactOf } from "./contact-row.ts";
import { contactWrites } from "./contact-writes.ts";
import type { SqliteDatabase } from "./open.ts";

type ConfirmationRow = Omit<StoredConfirmation, "contact" | "suppression"> & { readonly workspace: number };

export function signupStore(database: SqliteDatabase): SignupStore {
  const { sqlite, writes } = database;
  const formRow = sqlite.query<{ workspace: number; list: number | null }, [string]>(
    "SELECT workspace, list FROM forms WHERE id = ?",
  );
  const blocked = sqlite.query<{ domain: string }, [number, string]>(
    "SELECT domain FROM blocked_domains WHERE workspace = ? AND domain = ?",
  );
  const join = sqlite.query<null, [number, number, number]>(
    `INSERT INTO list_members (list, status, contact, added_at) SELECT ?1, status, seq, ?2 FROM contacts WHERE seq = ?3
     ON CONFLICT DO NOTHING`,
  );
  const content = sqlite.query<{ content: string }, [number]>(
    "SELECT content FROM mailing_contents WHERE mailing = ?",
  );
  const { suppressionOf } = consentWrites(sqlite);
  const contacts = contactWrites(sqlite);
  const confirmations = confirmationWrites(sqlite);

  return {
    ...links(database),
    admit: submissionCount(database),

    submit: (signup, plan) =>
      writes.write(() => {
        const form = formRow.get(signup.formId);
        if (form === null) return null;
        const { workspace, list } = form;
        const row = contacts.byEmail(workspace, signup.email);
        const planned = plan({
          contact: row === null ? null : contactOf(row),
          suppression: suppressionOf(workspace, signup.email),
          domainBlocked: blocked.get(workspace, domainOf(signup.email)) !== null,
          recent: confirmations.recent(workspace, signup),
        });
        if (planned.kind !== "joined") return planned;
        if (row !== null) contacts.save(workspace, row, planned.write);
        const seq = row?.seq ?? contacts.add(workspace, { fresh: signup.fresh, write: planned.write }).seq;
        if (list !== null) join.run(list, signup.at, seq);
        if (planned.sendConfirmation && signup.letter !== null)
          confirmations.queue(workspace, seq, signup, signup.letter);
        return planned;
      }),

    letterContent: async (mailing) => {
      const row = content.get(mailing);
      if (row === null) throw notFound(`The letter of mailing ${mailing}`);
      return JSON.parse(row.content) as ConfirmationContent;
    },
  };
}

/** A refusal is read, not written: a flood costs no commits. */
function submissionCount({ sqlite, writes }: SqliteDatabase): SignupStore["admit"] {
  const earlier = sqlite.query<{ at: number }, [string, number]>(
    "SELECT at FROM form_submissions WHERE client = ? AND at > ? ORDER BY at",
  );
  const add = sqlite.query<null, [string, number]>("INSERT INTO form_submissions (client, at) VALUES (?, ?)");
  const forget = sqlite.query<null, [number]>("DELETE FROM form_submissions WHERE at <= ?");

  return async (client, { since, now }, decide) => {
    const look = () => decide(earlier.all(client, since).map(({ at }) => at));
    const first = look();
    if (!first.admitted) return first;
    return writes.write(() => {
      const admission = look();
      if (admission.admitted) add.run(client, now);
      forget.run(since);
      return admission;
    });
  };
}

function links({ sqlite, writes }: SqliteDatabase): Pick<SignupStore, "confirmation" | "confirm"> {
  const contacts = contactWrites(sqlite);
  const find = findConfirmation(sqlite);
  const markUsed = sqlite.query<null, [number, number]>(
    "UPDATE confirmations SET confirmed_at = ? WHERE delivery = ?",
  );

  return {
    confirmation: async (message) => find(message)?.found ?? null,
    confirm: (message, plan, at) =>
      writes.write(() => {
        const stored = find(message);
        if (stored === null) return null;
        const write = plan(stored.found);
        if (write !== null) {
          contacts.save(stored.workspace, contacts.byEmail(stored.workspace, stored.found.address)!, write);
          markUsed.run(at, message);
        }
        return find(message)!.found;
      }),
  };
}

function findConfirmation(sqlite: Database) {
  const byMessage = sqlite.query<ConfirmationRow, [number]>(
    `SELECT c.workspace, w.id AS workspaceId, c.form_id AS formId, c.address, c.created_at AS createdAt, c.confirmed_at AS confirmedAt
     FROM confirmations AS c CROSS JOIN workspaces AS w ON w.seq = c.workspace WHERE c.delivery = ?`,
  );
  const { byEmail } = contactWrites(sqlite);
  const { suppressionOf } = consentWrites(sqlite);

  return (message: number): { workspace: number; found: StoredConfirmation } | null => {
    const row = byMessage.get(message);
    if (row === null) return null;
    const { workspace, ...stored } = row;
    const contact = byEmail(workspace, stored.address);
    return {
      workspace,
      found: {
        ...stored,
        contact: contact === null ? null : contactOf(contact),
        suppression: suppressionOf(workspace, stored.address),
      },
    };
  };
}
