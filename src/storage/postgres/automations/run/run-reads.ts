import type { RunStore } from "#automations/run/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { OuterRow, Row } from "#storage/postgres/schema/row.ts";
import type {
  automationDeliveries,
  automations,
  contacts,
  deliveries,
} from "#storage/postgres/schema/schema.ts";
import { contactsOf, eventsOf, factsOf } from "./run-facts.ts";

const MAILED = `SELECT d.contact, s.event FROM deliveries AS d
  LEFT JOIN automation_deliveries AS s ON s.delivery = d.seq WHERE d.seq = $1`;
const CONTACT = "SELECT seq FROM contacts WHERE workspace = $1 AND email = $2";
const AUTOMATION = "SELECT seq FROM automations WHERE id = $1";

type MailedRow = Row<typeof deliveries, "contact"> & OuterRow<typeof automationDeliveries, "event">;

/** The reads for letters and simulations. */
export function runReads({ read, seqOf }: PostgresDatabase): Pick<RunStore, "liquidSource" | "walkFacts"> {
  return {
    liquidSource: (message) =>
      read(async (session) => {
        const mailed = await session.row<MailedRow>(MAILED, [message]);
        if (mailed === null || mailed.contact === null) return null;
        const contact = (await contactsOf(session, [mailed.contact])).get(mailed.contact);
        if (contact === undefined) return null;
        const { event } = mailed;
        const events = await eventsOf(session, event === null ? [] : [event]);
        return { contact, event: events.get(event ?? 0) ?? null };
      }),

    async walkFacts(workspaceId, automationId, email, needs, stranger) {
      const workspace = await seqOf(workspaceId);
      return await read(async (session) => {
        const [known, walked] = await Promise.all([
          session.row<Row<typeof contacts, "seq">>(CONTACT, [workspace, email]),
          session.row<Row<typeof automations, "seq">>(AUTOMATION, [automationId]),
        ]);
        const contact = known?.seq ?? 0;
        const person = (await contactsOf(session, [contact])).get(contact) ?? stranger;
        const asked = { enrollment: null, contact, person, event: null, needs };
        const of = { workspace, automation: walked?.seq ?? 0 };
        return { facts: (await factsOf(session, of, [asked])).about(asked), exists: known !== null };
      });
    },
  };
}
