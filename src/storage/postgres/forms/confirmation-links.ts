import { present } from "#core/present.ts";
import type { SignupStore, StoredConfirmation } from "#forms/store.ts";
import { holdReason, reasonsOf } from "#storage/postgres/consent/suppression-writes.ts";
import { beforeNewContacts } from "#storage/postgres/contacts/contact-batch.ts";
import { contactOf, findByEmail, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import { holdByEmail, putContact } from "#storage/postgres/contacts/contact-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { confirmations, workspaces } from "#storage/postgres/schema/schema.ts";
import { joinListOf } from "./form-list.ts";

type ConfirmationRow = Row<
  typeof confirmations,
  "workspace" | "formId" | "address" | "createdAt" | "confirmedAt" | "returns" | "voidedAt"
> & { readonly workspaceId: Value<typeof workspaces, "id"> };

const BY_MESSAGE = `SELECT c.workspace, w.id AS workspace_id, c.form_id, c.address, c.created_at, c.confirmed_at,
    c.returns, c.voided_at
  FROM confirmations AS c JOIN workspaces AS w ON w.seq = c.workspace WHERE c.delivery = $1`;
// The only statement that lifts a suppression because a person asked for it, and only their own opt-out.
const LIFT_OPT_OUT =
  "DELETE FROM suppressions WHERE workspace = $1 AND address = $2 AND reason = 'UNSUBSCRIBED'";
const MARK_USED = "UPDATE confirmations SET confirmed_at = $1 WHERE delivery = $2";

/** The links of confirmation mails. */
export function confirmationLinks({
  read,
  write,
}: PostgresDatabase): Pick<SignupStore, "confirmation" | "confirm"> {
  return {
    confirmation: (message) => read((session) => findConfirmation(session, message)),

    async confirm(message, plan, fresh) {
      return await write(async (tx) => {
        const place = await tx.row<ConfirmationRow>(BY_MESSAGE, [message]);
        if (place === null) return null;
        const { workspace, address } = place;
        const row = await holdPerson(tx, workspace, address);
        // Before the link, as whoever suppresses the address: an opt-out may be lifted here.
        await holdReason(tx, workspace, address);
        // Two simultaneous clicks run one after the other: the second finds the link used.
        const link = present(
          await tx.row<ConfirmationRow>(`${BY_MESSAGE} FOR NO KEY UPDATE OF c`, [message]),
          "link",
        );
        const planned = plan(await standingOf(tx, link, row));
        if (planned !== null) {
          const contact = await putContact(tx, workspace, row, { fresh, write: planned.write });
          if (planned.comesBack) {
            await tx.run(LIFT_OPT_OUT, [workspace, address]);
            await joinListOf(tx, link.formId, contact, fresh.createdAt);
          }
          await tx.run(MARK_USED, [fresh.createdAt, message]);
        }
        return present(await findConfirmation(tx, message), "confirmation that was just used");
      });
    },
  };
}

/** Locks the contact with the address: always the first lock of a change to a person. Null: there is none yet. */
export async function holdPerson(
  tx: Session,
  workspace: number,
  address: string,
): Promise<ContactRow | null> {
  const row = (await holdByEmail(tx, workspace, [address])).get(address) ?? null;
  if (row === null) await beforeNewContacts(tx, workspace);
  return row;
}

async function findConfirmation(session: Session, message: number): Promise<StoredConfirmation | null> {
  const link = await session.row<ConfirmationRow>(BY_MESSAGE, [message]);
  if (link === null) return null;
  return await standingOf(session, link, await findByEmail(session, link.workspace, link.address));
}

async function standingOf(
  session: Session,
  { workspace, ...link }: ConfirmationRow,
  contact: ContactRow | null,
): Promise<StoredConfirmation> {
  const reasons = await reasonsOf(session, workspace, [link.address]);
  return {
    ...link,
    contact: contact && contactOf(contact),
    suppression: reasons.get(link.address) ?? null,
  };
}
