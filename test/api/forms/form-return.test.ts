/**
 * Who has left comes back by a confirmed double opt-in of their own, and by nothing else (docs/decisions.md
 * "Public pages").
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { membersOf, newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { person, suppressions } from "../../support/people/people.ts";
import {
  ENDS_LINKS,
  KEEPS_LINKS,
  LEFT,
  PLACES,
  stand,
  standingOf,
  type Place,
} from "../../support/people/returning.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms({ doubleOptIn: true });
  form = await newForm(api);
});
afterAll(() => api.stop());

const OUT: Place = { status: "UNSUBSCRIBED", suppression: "UNSUBSCRIBED" };
const optIn = (doubleOptIn: boolean) =>
  api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn });
const press = async (link: string) => {
  const answer = await fetch(api.url + link, { method: "POST" });
  return [answer.status, textOf(await readPage(answer))] as const;
};
const look = async (link: string) => textOf(await readPage(await fetch(api.url + link)));
const BACK = "You are subscribed";
const DEAD = /This link (no longer works|has expired)/;

let people = 0;
const newAddress = () => `left-${++people}@example.com`;

/** Somebody stands there and signs up; their address and the link they got. */
async function signUp(place: Place = OUT, to = form): Promise<{ email: string; link: string }> {
  const email = newAddress();
  await stand(api, email, place);
  await api.submit(to.id, { email });
  return { email, link: (await api.confirmLinks(email))[0]! };
}

/** Every mail that was due has gone: one of a stranger, who signed up after all others, has arrived. */
async function allMailIsOut(): Promise<void> {
  const stranger = newAddress();
  await api.submit(form.id, { email: stranger });
  await api.confirmLinks(stranger);
}

const named = (place: Place) => `${place.status ?? "no contact"}, ${place.suppression ?? "not suppressed"}`;
const isAmong = (places: readonly Place[], place: Place) =>
  places.some(({ status, suppression }) => status === place.status && suppression === place.suppression);

describe.each([true, false])("a submission with double opt-in %p", (doubleOptIn) => {
  test("answers the same for everybody but the bounced, changes nobody who is out, and mails only who may confirm", async () => {
    const cast = PLACES.map((place) => ({ place, email: newAddress() }));
    await optIn(true);
    for (const { place, email } of cast) await stand(api, email, place);
    await optIn(doubleOptIn);
    const before = await Promise.all(cast.map(({ email }) => standingOf(api, email, form)));
    const answers = await Promise.all(
      cast.map(async ({ email }) => {
        const answer = await api.submit(form.id, { email, firstName: "Mallory" });
        return [answer.status, await answer.text()] as const;
      }),
    );
    await optIn(true);
    await allMailIsOut();
    const after = await Promise.all(cast.map(({ email }) => standingOf(api, email, form)));
    expect(new Set(answers.filter(([status]) => status === 200).map(([, body]) => body)).size).toBe(1);
    for (const [i, { place, email }] of cast.entries()) {
      const bounced = place.status === "BOUNCED" || place.suppression === "HARD_BOUNCE";
      const isOut = place.status === "UNSUBSCRIBED" || place.suppression !== null;
      const isNew = place.status === null || place.status === "PENDING";
      const asked = doubleOptIn && (isAmong(LEFT, place) || (!bounced && !isOut && isNew));
      expect([named(place), answers[i]![0], api.mailsTo(email).length]).toEqual([
        named(place),
        bounced ? 400 : 200,
        asked ? 1 : 0,
      ]);
      if (bounced || isOut) expect([named(place), after[i]!]).toEqual([named(place), before[i]!]);
      else
        expect([named(place), after[i]!.onList, after[i]!.status]).toEqual([
          named(place),
          true,
          doubleOptIn && isNew ? "PENDING" : "SUBSCRIBED",
        ]);
    }
  });
});

describe.each(LEFT.map((place) => [named(place), place] as const))("somebody who left (%s)", (_, place) => {
  test.each(Object.keys(KEEPS_LINKS))(
    "comes back by confirming: SUBSCRIBED, not suppressed, on the form's list, logged once; since then %s",
    async (what) => {
      const { email, link } = await signUp(place);
      await KEEPS_LINKS[what]!(api, email, form);
      expect(await look(link)).toContain("Confirm your subscription");
      const before = await standingOf(api, email, form);
      expect(before.onList).toBe(false);
      const pressed = await Promise.all(Array.from({ length: 5 }, () => press(link)));
      expect(pressed.map(([status, text]) => [status, text.includes(BACK)])).toEqual(
        pressed.map(() => [200, true]),
      );
      const after = await standingOf(api, email, form);
      expect(after).toEqual({
        ...after,
        status: "SUBSCRIBED",
        suppression: null,
        onList: true,
        log: [...before.log, `GIVEN ${email} confirmation`],
      });
      expect(await look(link)).toContain(BACK);
      await optIn(true);
    },
  );

  test.each(Object.keys(ENDS_LINKS))("stays as they are where since the mail was sent %s", async (what) => {
    const { email, link } = await signUp(place);
    await ENDS_LINKS[what]!(api, email, form);
    const before = await standingOf(api, email, form);
    for (const text of [await look(link), (await press(link))[1], await look(link)])
      expect([what, DEAD.test(text)]).toEqual([what, true]);
    expect([what, await standingOf(api, email, form)]).toEqual([what, before]);
  });
});

test("a link that was sent to somebody who was not out never brings back who left since, a second sign-up does", async () => {
  const email = newAddress();
  await api.submit(form.id, { email });
  const [first] = await api.confirmLinks(email);
  await person(api, email, { status: "UNSUBSCRIBED" });
  const other = await newForm(api);
  await api.submit(other.id, { email });
  const second = (await api.confirmLinks(email, 2)).find((link) => link !== first)!;
  expect((await press(first!))[1]).toMatch(DEAD);
  expect(await standingOf(api, email, other)).toMatchObject({ ...OUT, onList: false });
  expect((await press(second))[1]).toContain(BACK);
  expect(await standingOf(api, email, other)).toMatchObject({ status: "SUBSCRIBED", onList: true });
  expect(email in (await membersOf(api, form))).toBe(false);
});

test("who comes back by two forms joins both lists; the consent is logged once for each", async () => {
  const { email, link } = await signUp();
  const other = await newForm(api);
  await api.submit(other.id, { email });
  const second = (await api.confirmLinks(email, 2)).find((each) => each !== link)!;
  for (const each of [link, second, second, link]) expect((await press(each))[1]).toContain(BACK);
  for (const each of [form, other])
    expect(await standingOf(api, email, each)).toMatchObject({
      status: "SUBSCRIBED",
      suppression: null,
      onList: true,
      log: [`GIVEN ${email} confirmation`, `GIVEN ${email} confirmation`],
    });
  const { body } = await api.call("GET", `/consents?email=${email}`);
  expect(body.data.map(({ formId }: { formId: string }) => formId)).toEqual([other.id, form.id]);
});

test("who came back and leaves again is not brought back by the old link, nor by a second press", async () => {
  const { email, link } = await signUp();
  await press(link);
  await person(api, email, { status: "UNSUBSCRIBED" });
  const before = await standingOf(api, email, form);
  expect((await press(link))[1]).toMatch(DEAD);
  expect(await standingOf(api, email, form)).toEqual(before);
  expect(before).toMatchObject({ ...OUT, onList: false });
});

test("an opt-out and a confirmation at the same time end in the opt-out, whichever comes first", async () => {
  const leaves = ENDS_LINKS["they unsubscribed by a link, perhaps once more"]!;
  const cast = await Promise.all(Array.from({ length: 20 }, () => signUp()));
  await Promise.all(
    cast.flatMap(({ email, link }, i) => {
      const both = [() => press(link), () => leaves(api, email, form)];
      return (i % 2 ? both : both.toReversed()).map((act) => act());
    }),
  );
  for (const { email } of cast) {
    const { log, ...standing } = await standingOf(api, email, form);
    expect(standing).toMatchObject({ ...OUT, onList: false });
    expect(log.filter((entry) => entry.startsWith("GIVEN")).length).toBeLessThanOrEqual(1);
    if (log.length > 0) expect(log.at(-1)).toBe(`WITHDRAWN ${email} unsubscribe`);
  }
});

test("nothing but the confirmation lifts the suppression: consent by a request raises the status alone", async () => {
  const { email, link } = await signUp();
  await person(api, email, { consent: "explicit" });
  expect(await standingOf(api, email, form)).toMatchObject({
    status: "SUBSCRIBED",
    suppression: "UNSUBSCRIBED",
    onList: false,
  });
  expect(await look(link)).toContain("Confirm your subscription");
  await press(link);
  expect(await standingOf(api, email, form)).toMatchObject({
    status: "SUBSCRIBED",
    suppression: null,
    onList: true,
  });
});

test("who came back gets the next campaign; nobody else's suppression is touched", async () => {
  const stays = newAddress();
  await stand(api, stays, OUT);
  const ours = await newForm(api);
  const { email, link } = await signUp(OUT, ours);
  await press(link);
  const { body } = await api.call("POST", "/campaigns", {
    name: "C",
    subject: "S",
    body: "<p>x</p>",
    listId: ours.listId,
  });
  expect((await api.call("POST", `/campaigns/${body.data.id}/send`)).body.data).toMatchObject({ sent: 1 });
  expect(api.mailsTo(email)).toHaveLength(2);
  expect((await suppressions(api))[stays]).toBe("UNSUBSCRIBED");
});

test("an opt-out undone starts no new-subscriber automation; a list that changed meanwhile is the one that is joined", async () => {
  const { id } = (await api.call("POST", "/automations", { name: "Welcome" })).body.data;
  await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
  const moved = await newForm(api);
  const { email, link } = await signUp(OUT, moved);
  const { listId } = await newForm(api);
  await api.call("PATCH", `/forms/${moved.id}`, { listId });
  await press(link);
  expect(await standingOf(api, email, { listId })).toMatchObject({ status: "SUBSCRIBED", onList: true });
  expect((await api.call("GET", `/automations/${id}/enrollments`)).body.data).toEqual([]);
  await api.call("PATCH", `/automations/${id}`, { status: "PAUSED" });
});

test("works after the form was deleted: back, on no list", async () => {
  const gone = await newForm(api);
  const { email, link } = await signUp(OUT, gone);
  await api.call("DELETE", `/forms/${gone.id}`);
  expect((await press(link))[1]).toContain(BACK);
  expect(await standingOf(api, email, gone)).toMatchObject({
    status: "SUBSCRIBED",
    suppression: null,
    onList: false,
  });
});
