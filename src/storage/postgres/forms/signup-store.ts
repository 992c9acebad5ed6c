import { domainOf } from "#core/addresses/email-address.ts";
import { notFound } from "#core/errors/errors.ts";
import type { ConfirmationContent } from "#forms/signup/confirmation.ts";
import { isAccepted, type SignupPlan } from "#forms/signup/signup-plan.ts";
import type { Signup, SignupStore } from "#forms/store.ts";
import { decideWithNames } from "#storage/postgres/attributes/name-limit.ts";
import { holdReason } from "#storage/postgres/consent/suppression-writes.ts";
import { contactOf, type ContactRow } from "#storage/postgres/contacts/contact-row.ts";
import { putContact } from "#storage/postgres/contacts/contact-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { forms } from "#storage/postgres/schema/schema.ts";
import { tellOfSubmission } from "#storage/postgres/webhooks/submission-outbox.ts";
import { confirmationLinks, holdPerson } from "./confirmation-links.ts";
import { holdMailbox, queueConfirmation, recentConfirmations } from "./confirmation-writes.ts";
import { joinListOf } from "./form-list.ts";
import { submissionCount } from "./submission-count.ts";

// A deletion of the form waits: the form existed when the person signed up.
const HOLD_FORM = "SELECT workspace FROM forms WHERE id = $1 FOR KEY SHARE";
const BLOCKED = "SELECT domain FROM blocked_domains WHERE workspace = $1 AND domain = $2";
const CONTENT = "SELECT content FROM mailing_contents WHERE mailing = $1";

type Plan = Parameters<SignupStore["submit"]>[1];

export function signupStore(database: PostgresDatabase): SignupStore {
  const { read, write } = database;
  return {
    ...confirmationLinks(database),
    admit: submissionCount(database),

    async submit(signup, plan) {
      return await write(async (tx) => {
        const form = await tx.row<Row<typeof forms, "workspace">>(HOLD_FORM, [signup.formId]);
        if (form === null) return null;
        const { workspace } = form;
        await holdMailbox(tx, workspace, signup.email);
        const row = await holdPerson(tx, workspace, signup.email);
        const planned = await planFor(tx, workspace, row, signup, plan);
        await carryOut(tx, workspace, row, signup, planned);
        if (isAccepted(planned.kind)) await tellOfSubmission(tx, workspace, signup);
        return planned;
      });
    },

    async letterContent(mailing) {
      const row = await read((session) => session.row<{ readonly content: string }>(CONTENT, [mailing]));
      if (row === null) throw notFound(`The letter of mailing ${mailing}`);
      return JSON.parse(row.content) as ConfirmationContent;
    },
  };
}

/** The rule's decision about what is stored, which is locked until the transaction ends. */
async function planFor(
  tx: Session,
  workspace: number,
  row: ContactRow | null,
  signup: Signup,
  plan: Plan,
): Promise<SignupPlan> {
  // A person who left has an entry here: their sign-ups run one after the other, even if the contact was deleted.
  const suppression = await holdReason(tx, workspace, signup.email);
  const domainBlocked = (await tx.row(BLOCKED, [workspace, domainOf(signup.email)])) !== null;
  const recent = await recentConfirmations(tx, workspace, signup);
  const contact = row && contactOf(row);
  const decide = (attributeHolders: ReadonlyMap<string, number>): SignupPlan =>
    plan({ contact, suppression, domainBlocked, attributeHolders, recent });
  return signup.setsAttributes
    ? await decideWithNames(tx, workspace, decide, namesIn)
    : decide(new Map<string, number>());
}

const namesIn = (planned: SignupPlan): string[] =>
  planned.kind === "joined" ? Object.keys(planned.write.contact.attributes) : [];

async function carryOut(
  tx: Session,
  workspace: number,
  row: ContactRow | null,
  signup: Signup,
  planned: SignupPlan,
): Promise<void> {
  if (planned.kind !== "mayReturn" && planned.kind !== "joined") return;
  const { fresh, formId, letter, at } = signup;
  const returns = planned.kind === "mayReturn";
  let contact = row?.seq ?? null;
  if (planned.kind === "joined") {
    contact = await putContact(tx, workspace, row, { fresh, write: planned.write });
    await joinListOf(tx, formId, contact, at);
  }
  if (planned.sendConfirmation && letter !== null)
    await queueConfirmation(tx, { workspace, contact, returns }, signup, letter);
}
