import type { Database } from "bun:sqlite";
import { domainOf } from "#core/addresses/email-address.ts";
import { notFound } from "#core/errors/errors.ts";
import type { ConfirmationContent } from "#forms/signup/confirmation.ts";
import { isAccepted } from "#forms/signup/signup-plan.ts";
import type { SignupStore, StoredConfirmation } from "#forms/store.ts";
import { attributeHolders } from "#storage/sqlite/attributes/attribute-store.ts";
import { confirmationWrites } from "./confirmation-writes.ts";
import { consentWrites } from "#storage/sqlite/consent/consent-writes.ts";
import { contactOf } from "#storage/sqlite/contacts/contact-row.ts";
import { contactWrites } from "#storage/sqlite/contacts/contact-writes.ts";
import { submissionOutbox } from "#storage/sqlite/webhooks/submission-outbox.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  blockedDomains,
  confirmations,
  formSubmissions,
  forms,
  mailingContents,
  workspaces,
} from "#storage/sqlite/schema/schema.ts";

type ConfirmationRow = Row<
  typeof confirmations,
  "workspace" | "formId" | "address" | "createdAt" | "confirmedAt" | "returns" | "voidedAt"
> & { readonly workspaceId: Value<typeof workspaces, "id"> };

export function signupStore(database: SqliteDatabase): SignupStore {
  const { sqlite, writes } = database;
  const formRow = sqlite.query<Row<typeof forms, "workspace">, [string]>(
    "SELECT workspace FROM forms WHERE id = ?",
  );
  const blocked = sqlite.query<Row<typeof blockedDomains, "domain">, [number, string]>(
    "SELECT domain FROM blocked_domains WHERE workspace = ? AND domain = ?",
  );
  const content = sqlite.query<Row<typeof mailingContents, "content">, [number]>(
    "SELECT content FROM mailing_contents WHERE mailing = ?",
  );
  const { suppressionOf } = consentWrites(sqlite);
  const contacts = contactWrites(sqlite);
  const holdersIn = attributeHolders(sqlite);
  const confirmations = confirmationWrites(sqlite);
  const joinListOf = formListJoin(sqlite);
  const tellOfSubmission = submissionOutbox(sqlite);

  return {
    ...links(database),
    admit: submissionCount(database),

    submit: (signup, plan) =>
      writes.write(() => {
        const form = formRow.get(signup.formId);
        if (form === null) return null;
        const { workspace } = form;
        const row = contacts.byEmail(workspace, signup.email);
        const planned = plan({
          contact: row === null ? null : contactOf(row),
          suppression: suppressionOf(workspace, signup.email),
          domainBlocked: blocked.get(workspace, domainOf(signup.email)) !== null,
          attributeHolders: signup.setsAttributes ? holdersIn(workspace) : new Map(),
          recent: confirmations.recent(workspace, signup),
        });
        const owe = (contact: number | null, returns: boolean): void => {
          if ("sendConfirmation" in planned && planned.sendConfirmation && signup.letter !== null)
            confirmations.queue({ workspace, contact, returns }, signup, signup.letter);
        };
        if (planned.kind === "mayReturn") owe(row?.seq ?? null, true);
        if (planned.kind === "joined") {
          const contact = contacts.put(workspace, row, { fresh: signup.fresh, write: planned.write });
          joinListOf(signup.formId, contact, signup.at);
          owe(contact, false);
        }
        if (isAccepted(planned.kind)) tellOfSubmission(workspace, signup);
        return planned;
      }),

    letterContent: async (mailing) => {
      const row = content.get(mailing);
      if (row === null) throw notFound(`The letter of mailing ${mailing}`);
      return JSON.parse(row.content) as ConfirmationContent;
    },
  };
}

/** Some at a time, so that the first submission after a rush does not remove all of the rush. */
const FORGET = `DELETE FROM form_submissions WHERE seq IN
  (SELECT seq FROM form_submissions WHERE at <= ? ORDER BY at LIMIT 100)`;

/** A refusal only reads: a flood costs no commits. */
function submissionCount({ sqlite, writes }: SqliteDatabase): SignupStore["admit"] {
  const earlier = sqlite.query<Row<typeof formSubmissions, "at">, [string, number]>(
    "SELECT at FROM form_submissions WHERE client = ? AND at > ? ORDER BY at",
  );
  const add = sqlite.query<null, [string, number]>("INSERT INTO form_submissions (client, at) VALUES (?, ?)");
  const forget = sqlite.query<null, [number]>(FORGET);

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
  const joinListOf = formListJoin(sqlite);
  // The only statement that lifts a suppression because a person asked for it, and only their own opt-out.
  const liftOptOut = sqlite.query<null, [number, string]>(
    "DELETE FROM suppressions WHERE workspace = ? AND address = ? AND reason = 'UNSUBSCRIBED'",
  );
  const markUsed = sqlite.query<null, [number, number]>(
    "UPDATE confirmations SET confirmed_at = ? WHERE delivery = ?",
  );

  return {
    confirmation: async (message) => find(message)?.found ?? null,
    confirm: (message, plan, fresh) =>
      writes.write(() => {
        const stored = find(message);
        if (stored === null) return null;
        const { workspace, found } = stored;
        const planned = plan(found);
        if (planned !== null) {
          const row = contacts.byEmail(workspace, found.address);
          const contact = contacts.put(workspace, row, { fresh, write: planned.write });
          if (planned.comesBack) {
            liftOptOut.run(workspace, found.address);
            joinListOf(found.formId, contact, fresh.createdAt);
          }
          markUsed.run(fresh.createdAt, message);
        }
        return present(find(message), "confirmation that was just used").found;
      }),
  };
}

/** Puts a contact on the list of a form, if it has one. */
function formListJoin(sqlite: Database) {
  const join = sqlite.query<null, [number, string, number]>(
    `INSERT INTO list_members (list, status, contact, added_at)
     SELECT f.list, c.status, c.seq, ?1 FROM forms AS f CROSS JOIN contacts AS c
     WHERE f.id = ?2 AND c.seq = ?3 AND f.list IS NOT NULL
     ON CONFLICT DO NOTHING`,
  );
  return (formId: string, contact: number, at: number): void => {
    join.run(at, formId, contact);
  };
}

function findConfirmation(sqlite: Database) {
  const byMessage = sqlite.query<ConfirmationRow, [number]>(
    `SELECT c.workspace, w.id AS workspaceId, c.form_id AS formId, c.address, c.created_at AS createdAt, c.confirmed_at AS confirmedAt,
       c.returns, c.voided_at AS voidedAt
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
        returns: stored.returns === 1,
        contact: contact === null ? null : contactOf(contact),
        suppression: suppressionOf(workspace, stored.address),
      },
    };
  };
}
