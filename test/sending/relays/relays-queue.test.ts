/** More requests wait than the relays have connections: who goes first. */
import { afterEach, expect, test } from "bun:test";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { drop, type Script } from "../../support/sending/smtp-script.ts";
import { driven, numberIn, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { post } from "../../support/server/transactional.ts";

const LOST = "lost@example.com";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

/** Each message keeps the relay's only connection for a second. `order`: who got one. */
const slowly = (clock: ManualClock, order: string[]): Script => ({
  DOT: ({ rcptTo }) => {
    order.push(...rcptTo);
    const after = new Promise<void>((resolve) => void clock.setTimer(1_000, resolve));
    return { reply: "250 2.0.0 Queued", and: "go on", after };
  },
});

test("a request that the first relay loses goes through the second before those that came after it", async () => {
  const clock = manualClock();
  const RCPT: Script["RCPT"] = ({ rcptTo }) => (rcptTo[0] === LOST ? drop : undefined);
  const order: string[] = [];
  const losing = scriptedSmtp({ on: { ...slowly(clock, order), RCPT } });
  const second = scriptedSmtp({ on: slowly(clock, order) });
  api = await startSending({}, { clock });
  const smtpUrl = `${losing.url}?maxConnections=1 ${second.url}?maxConnections=1`;
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl });
  const posts = [post(api, { to: "before@example.com" })];
  await losing.reached("DOT");
  posts.push(post(api, { to: LOST }));
  const ARRIVED = `SELECT count(*) AS n FROM deliveries WHERE address = '${LOST}'`;
  await eventually(async () => (await numberIn(api, ARRIVED)) > 0);
  for (let n = 0; n < 16; n++) posts.push(post(api, { to: `after-${n}@example.com` }));
  const answers = await driven(clock, Promise.all(posts));
  expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 200));
  expect(order.indexOf(LOST)).toBeWithin(1, 8);
  losing.stop();
  second.stop();
});
