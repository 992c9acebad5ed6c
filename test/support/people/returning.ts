/**
 * People in every state of consent, and everything that may happen to them between a confirmation mail and
 * the click on its link.
 */
import type { Instant } from "#core/time/clock.ts";
import { atOnce } from "#core/time/event-loop.ts";
import { systemRandom } from "#core/random.ts";
import { bounceHard as bounceInPostgres } from "#storage/postgres/consent/consent-writes.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { hardBounce } from "#storage/sqlite/consent/consent-writes.ts";
import { CONTACT_STATUSES, type ContactStatus } from "#contacts/contact.ts";
import { SUPPRESSION_REASONS, type SuppressionReason } from "#suppression/reason.ts";
import { DAY_MS } from "#core/time/time.ts";
import { chain, enrollmentsOf, live } from "../automations/automations.ts";
import { eventually } from "../common/eventually.ts";
import { type FormsApi } from "./forms.ts";
import { consentLog, contactOf, person, suppressions } from "./people.ts";
import { rowsFrom } from "../server/services.ts";

/** The state of a person: the status in their row, null if there is none, and why their address is suppressed. */
export type Place = { readonly status: ContactStatus | null; readonly suppression: SuppressionReason | null };

export const PLACES: readonly Place[] = [null, ...CONTACT_STATUSES].flatMap((status) =>
  [null, ...SUPPRESSION_REASONS].map((suppression) => ({ status, suppression })),
);

/** People who left by themselves, with no other reason against mail. */
export const LEFT: readonly Place[] = PLACES.filter(
  ({ status, suppression }) =>
    status !== "BOUNCED" &&
    (suppression === "UNSUBSCRIBED" || (status === "UNSUBSCRIBED" && suppression === null)),
);

/** As the ledger does when a relay refuses an address for good. */
async function bounceHard(
  { services, place, clock }: FormsApi,
  bounced: { readonly workspace: number; readonly address: string; readonly now: Instant },
): Promise<void> {
  if (place.url === null) {
    const { sqlite, writes } = services.database;
    return await writes.write(() => atOnce(hardBounce(sqlite, bounced)));
  }
  const database = await openPostgres(place.url, { clock, random: systemRandom });
  await database.write((tx) => bounceInPostgres(tx, bounced));
  await database.close();
}

/** Brings an address into this state. */
export async function stand(api: FormsApi, email: string, { status, suppression }: Place): Promise<void> {
  if (status !== null) await person(api, email, { status });
  await api.services.suppressions.remove(api.workspaceId, email);
  if (suppression !== null) await api.services.suppressions.add(api.workspaceId, email, suppression);
}

/** Everything that the service knows about an address. */
export async function standingOf(api: FormsApi, email: string, form: { listId: string }) {
  const contact = await contactOf(api, email);
  const lists = contact && (await api.call("GET", `/contacts/${contact.id}/lists`)).body.data;
  return {
    status: (contact?.status ?? null) as ContactStatus | null,
    names: contact && [contact.firstName, contact.lastName],
    suppression: (await suppressions(api))[email] ?? null,
    onList: (lists ?? []).some(({ id }: { id: string }) => id === form.listId),
    log: (await consentLog(api)).filter((entry) => entry.includes(` ${email} `)),
  };
}

type Happening = (api: FormsApi, email: string, form: { id: string }) => Promise<unknown>;

/** What the person said or what happened to them: afterwards, no earlier link raises anybody. */
export const ENDS_LINKS: Readonly<Record<string, Happening>> = {
  "they unsubscribed by a link, perhaps once more": (api, address) =>
    api.services.contacts.optOut({
      workspaceId: api.workspaceId,
      address,
      contactId: null,
      origin: { source: "unsubscribe", formId: null, clientAddress: null, userAgent: null },
    }),
  "a request said that they declined": (api, email) => person(api, email, { consent: "declined" }),
  "a request said UNSUBSCRIBED, perhaps once more": (api, email) =>
    person(api, email, { status: "UNSUBSCRIBED" }),
  "a request said BOUNCED": (api, email) => person(api, email, { status: "BOUNCED" }),
  "an automation unsubscribed them, perhaps once more": async (api, email) => {
    const leaves = chain({ trigger: "custom_event", eventName: "left" }, [
      "out",
      "action",
      { action: "unsubscribe" },
    ]);
    const id = await live(api, leaves);
    await api.call("POST", "/events", { email, name: "left" });
    await eventually(async () => (await enrollmentsOf(api, id, "&status=COMPLETED")).length === 1);
    await api.call("PATCH", `/automations/${id}`, { status: "PAUSED" });
  },
  "a relay refused the address for good": (api, address) => {
    const [{ seq: workspace }] = rowsFrom(api, "SELECT seq FROM workspaces WHERE id = ?", api.workspaceId);
    return bounceHard(api, { workspace, address, now: api.clock.now() });
  },
  ...Object.fromEntries(
    SUPPRESSION_REASONS.map((reason): [string, Happening] => [
      `the operator suppressed the address: ${reason}`,
      (api, email) => api.services.suppressions.add(api.workspaceId, email, reason),
    ]),
  ),
  "they were deleted": async (api, email) => {
    const contact = (await contactOf(api, email)) ?? (await person(api, email));
    return api.call("DELETE", `/contacts/${contact.id}`);
  },
  "they moved to another address": async (api, email) => {
    const contact = (await contactOf(api, email)) ?? (await person(api, email));
    return api.call("PATCH", `/contacts/${contact.id}`, { email: `moved-${email}` });
  },
  "another contact got the address": async (api, email) => {
    const contact = await contactOf(api, email);
    if (contact) await api.call("PATCH", `/contacts/${contact.id}`, { email: `moved-${email}` });
    const other = await person(api, `other-${email}`, { status: "UNSUBSCRIBED" });
    return api.call("PATCH", `/contacts/${other.id}`, { email });
  },
  "seven days went by": async (api) => api.clock.shift(7 * DAY_MS),
};

/** Events that say nothing about what the person wants: the link still works. */
export const KEEPS_LINKS: Readonly<Record<string, Happening>> = {
  nothing: async () => undefined,
  "double opt-in was turned off": (api) =>
    api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn: false }),
  "a request said SUBSCRIBED without consent": (api, email) => person(api, email),
  "an event named them": (api, email) => api.call("POST", "/events", { email, name: "looked around" }),
  "they were renamed": (api, email) => person(api, email, { firstName: "Grace" }),
  "the operator lifted the suppression": (api, email) =>
    api.services.suppressions.remove(api.workspaceId, email),
  "six days went by": async (api) => api.clock.shift(6 * DAY_MS),
};
