import { afterEach, expect, test } from "bun:test";
import { live, chain } from "../../support/automations/automations.ts";
import { mail, NEW_SUBSCRIBER } from "../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { mailOf } from "../../support/sending/sending-state.ts";
import {
  beginSend,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { stall } from "../../support/sending/smtp-script.ts";
import { refusing } from "../../support/storage/traps.ts";
import { writeTo } from "../../support/server/services.ts";
import { MINUTE } from "../../support/common/durations.ts";

/** A letter that cannot be read, as a fault of ours would leave it: nobody but us can mend it. */

let clock: ManualClock;
let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const logged = (words: string) => api.logLines.filter((line) => line.includes(words)).length;
const tries = () => logged("a mailing cannot be taken up");
const broken = () => writeTo(api, "UPDATE mailing_contents SET content = 'x' || content");
const mended = () => writeTo(api, "UPDATE mailing_contents SET content = substr(content, 2)");
const SAYS = /^The letter cannot be made now\. It is tried again every minute/;

/** A message of it is planned, and then a server that has not read its letter begins. */
async function beginsWithout(begin: () => Promise<unknown>): Promise<void> {
  let isStalled = true;
  clock = manualClock();
  api = await startSending({ CONNECT: () => (isStalled ? stall : undefined) }, { clock });
  await begin();
  await drivenUntil(clock, () => numberOf(api, "SELECT count(*) AS n FROM mailing_contents") === 1);
  await broken();
  isStalled = false;
  api = await api.restart();
}

test("a campaign whose letter cannot be made says so, is tried with pauses, and goes out when that is mended", async () => {
  let id = "";
  await beginsWithout(async () => {
    id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    beginSend(api, id);
  });
  const until = clock.now() + 10 * MINUTE;
  await drivenUntil(clock, () => clock.now() > until, 500);
  const { blocked, remaining } = await reportOf(api, id);
  expect([blocked, remaining]).toEqual([expect.stringMatching(SAYS), 1]);
  expect(tries()).toBeGreaterThan(5);
  expect(tries()).toBeLessThan(20);
  await mended();
  await drivenUntil(clock, () => mailOf(api).length > 0, 500);
  expect(mailOf(api)).toEqual(["ada@example.com: Spring is here"]);
});

test("a mail of an automation whose letter cannot be made is among the problems of its step", async () => {
  let id = "";
  await beginsWithout(async () => {
    id = await live(api, chain(NEW_SUBSCRIBER, ["m", "action", mail("Hi")]));
    await person(api, "ada@example.com");
  });
  await drivenUntil(clock, () => tries() > 0, 500);
  const [problem] = (await api.call("GET", `/automations/${id}/problems`)).body.data;
  expect([problem.nodeId, problem.message]).toEqual(["m", expect.stringContaining("cannot be made now")]);
  await mended();
  await drivenUntil(clock, () => mailOf(api).length > 0, 500);
});

test("an automation that a fault of ours stops says so, is tried with pauses, and goes on when that is mended", async () => {
  clock = manualClock();
  api = await startSending({}, { clock });
  const mend = await refusing(
    api,
    "BEFORE UPDATE OF node ON enrollments",
    "a fault of ours",
    "old.automation = 1",
  );
  const id = await live(api, chain(NEW_SUBSCRIBER, ["m", "action", mail("Hi")]));
  const other = await live(api, chain(NEW_SUBSCRIBER));
  await person(api, "ada@example.com");
  const until = clock.now() + 3 * MINUTE;
  await drivenUntil(clock, () => clock.now() > until, 500);
  const problems = async (of: string) => (await api.call("GET", `/automations/${of}/problems`)).body.data;
  const [problem] = await problems(id);
  expect([problem.nodeId, problem.message]).toEqual([
    null,
    expect.stringMatching(/^Nobody moves .* a fault of ours/),
  ]);
  expect(logged("could not be worked on")).toBeGreaterThan(4);
  expect(logged("could not be worked on")).toBeLessThan(20);
  await mend();
  await drivenUntil(clock, () => mailOf(api).length > 0, 500);
  expect([await problems(id), await problems(other)]).toEqual([[], []]);
});
