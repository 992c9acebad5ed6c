import { expect, test } from "bun:test";
import { FIGURES, type Figure } from "#stats/figures.ts";
import { dice, type Dice } from "../../support/common/dice.ts";
import { ledgerFaults } from "../../support/storage/ledger-check.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { driven, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

const QUARTER_MS = 15 * 60_000;
const PEOPLE = 12;
const STEPS = 150;

/** One history: the service, its clock, chance, and what should be counted. */
type History = {
  readonly api: SendingApi;
  readonly clock: ManualClock;
  readonly of: Dice;
  /** By the quarter of an hour. What is counted of mail is held against the ledger's rows instead. */
  readonly expected: Map<number, Partial<Record<Figure, number>>>;
};

function add({ clock, expected }: History, figure: Figure): void {
  const at = clock.now() - (clock.now() % QUARTER_MS);
  const counts = expected.get(at) ?? {};
  counts[figure] = (counts[figure] ?? 0) + 1;
  expected.set(at, counts);
}

const addressOf = (of: Dice): string =>
  `${of.roll(3) === 0 ? "gone" : "reader"}-${of.roll(PEOPLE)}@example.com`;

const whoHas = async ({ api }: History, email: string): Promise<{ id: string; status: string } | null> =>
  (await api.call("GET", `/contacts?q=${email}`)).body.data[0] ?? null;

/** Does something to an address, and adds what becomes of its contact. */
async function watched(history: History, email: string, act: () => Promise<unknown>): Promise<void> {
  const before = await whoHas(history, email);
  await act();
  const after = await whoHas(history, email);
  if (before === null && after !== null) add(history, "newContacts");
  if (before !== null && before.status !== "UNSUBSCRIBED" && after?.status === "UNSUBSCRIBED")
    add(history, "unsubscribed");
}

const STATUSES = ["PENDING", "SUBSCRIBED", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED", undefined];
const CONSENTS = [undefined, undefined, "explicit", "declined"];
const NO_ORIGIN = { source: "unsubscribe", formId: null, clientAddress: null, userAgent: null } as const;

const ACTS: readonly ((history: History) => Promise<unknown>)[] = [
  (history) => {
    const { api, of } = history;
    const body = { email: addressOf(of), status: of.pick(STATUSES), consent: of.pick(CONSENTS) };
    return watched(history, body.email, () => api.call("POST", "/contacts", body));
  },
  async (history) => {
    const { api, of } = history;
    const email = addressOf(of);
    const known = await whoHas(history, email);
    const body = { status: of.pick(STATUSES), consent: of.pick(CONSENTS) };
    if (known !== null) await watched(history, email, () => api.call("PATCH", `/contacts/${known.id}`, body));
  },
  async (history) => {
    const known = await whoHas(history, addressOf(history.of));
    if (known !== null) await history.api.call("DELETE", `/contacts/${known.id}`);
  },
  (history) => {
    const { api, of } = history;
    const email = addressOf(of);
    const body = { email, name: "seen", ...(of.roll(2) ? { externalId: String(of.roll(10)) } : {}) };
    return watched(history, email, async () => {
      if ((await api.call("POST", "/events", body)).status === 201) add(history, "events");
    });
  },
  (history) => {
    const { api, of } = history;
    const address = addressOf(of);
    const optOut = { workspaceId: api.workspaceId, address, contactId: null, origin: NO_ORIGIN };
    return watched(history, address, () => api.services.contacts.optOut(optOut));
  },
  async (history) => {
    const { api, of } = history;
    const { suppressions } = api.services;
    const email = addressOf(of);
    const before = await suppressions.find(api.workspaceId, email);
    await suppressions.add(api.workspaceId, email, of.pick(["COMPLAINT", "MANUAL", "UNSUBSCRIBED"]));
    const after = await suppressions.find(api.workspaceId, email);
    if (after?.reason === "COMPLAINT" && before?.reason !== "COMPLAINT") add(history, "complained");
    if (of.roll(2)) await suppressions.remove(api.workspaceId, email);
  },
  async ({ api, of }) => {
    const { id: list } = (await api.call("POST", "/lists", { name: "Readers" })).body.data;
    const { data } = (await api.call("GET", "/contacts?status=SUBSCRIBED&limit=100")).body;
    const contactIds = data.map(({ id }: { id: string }) => id);
    if (contactIds.length > 0) await api.call("POST", `/lists/${list}/contacts`, { contactIds });
    const campaign = await makeCampaign(api, list);
    await api.call("POST", `/campaigns/${campaign}/send`);
    if (of.roll(3) === 0) await api.call("DELETE", `/campaigns/${campaign}`);
  },
  async ({ api, clock, of }) => {
    const rows = api.services.database.sqlite.query("SELECT seq FROM deliveries").values();
    const hits = rows.flatMap(([message]) =>
      of.roll(4) > 0
        ? []
        : {
            message: Number(message),
            by: of.pick(["person", "suspect", "machine"] as const),
            at: clock.now(),
            times: 1 + of.roll(3),
            ...of.pick([
              { kind: "open", link: null },
              { kind: "click", link: { number: 0, url: "https://shop.example.org/a" } },
              { kind: "click", link: { number: 1, url: "https://shop.example.org/b" } },
            ] as const),
          },
    );
    await api.services.ledger.recordEngagement([...hits, ...hits], () => of.roll(2) === 0);
  },
];

const withoutZeros = (counts: Partial<Record<Figure, number>>, figures: readonly Figure[]) =>
  Object.fromEntries(figures.filter((figure) => counts[figure]).map((figure) => [figure, counts[figure]]));

test.each([2, 3, 5])("what is counted is what happened and what the rows say: history %d", async (seed) => {
  const clock = manualClock();
  const api = await startSending(
    { RCPT: ({ rcptTo }) => (rcptTo.at(-1)?.startsWith("gone") ? "550 5.1.1 No such user" : undefined) },
    { clock },
  );
  const history: History = { api, clock, of: dice(seed), expected: new Map() };
  for (let step = 0; step < STEPS; step++) {
    await driven(clock, history.of.pick(ACTS)(history), 1);
    // What is counted has the time at which it happened; so nothing happens close to the end of a quarter.
    clock.advance(QUARTER_MS * (1 + history.of.roll(3)) - (clock.now() % QUARTER_MS));
  }
  const { sqlite } = api.services.database;
  expect(ledgerFaults(sqlite)).toEqual([]);
  const counted = sqlite
    .query<Record<Figure, number> & { at: number }, []>(
      "SELECT *, new_contacts AS newContacts FROM activity_counts ORDER BY at",
    )
    .all();
  const asked = ["unsubscribed", "complained", "newContacts", "events"] as const;
  const told = counted.map((row) => [row.at, withoutZeros(row, asked)]);
  const should = [...history.expected].map(([at, counts]) => [at, withoutZeros(counts, asked)]);
  expect(told.filter(([, counts]) => Object.keys(counts as object).length > 0)).toEqual(should);
  for (const figure of FIGURES)
    expect([figure, counted.some((row) => row[figure] > 0)]).toEqual([figure, true]);
  await api.stop();
});
