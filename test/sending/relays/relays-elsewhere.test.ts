/** A message whose connection one relay loses before its dot: another relay gets it, if somebody waits for it. */
import { afterEach, describe, expect, test } from "bun:test";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { drop, stall, type Script } from "../../support/sending/smtp-script.ts";
import {
  driven,
  drivenUntil,
  makeAudience,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { outcomes, post } from "../../support/server/transactional.ts";

let api: SendingApi;
let relays: ScriptedSmtp[];
afterEach(async () => {
  await api.stop({ graceMs: 0 });
  for (const relay of relays) relay.stop();
});

/**
 * Relays in this order, with one connection each. `tries`: how often each was offered mail to `KIND@…` or `KIND-…`;
 * `log`: which of them, and when.
 */
async function startWith(...scripts: Script[]) {
  const clock = manualClock();
  const tries = scripts.map((): Record<string, number> => ({}));
  const log: { relay: number; at: number }[] = [];
  relays = scripts.map((script, n) => {
    const RCPT: Script["RCPT"] = (moment) => {
      const kind = moment.rcptTo.at(-1)?.split(/[-@]/)[0] ?? "";
      const counts = tries[n] ?? {};
      counts[kind] = (counts[kind] ?? 0) + 1;
      log.push({ relay: n, at: clock.now() });
      return typeof script.RCPT === "function" ? script.RCPT(moment) : script.RCPT;
    };
    // Without pipelining each loss comes after an answer. Otherwise one on a kept connection may be no try at all.
    return scriptedSmtp({ on: { EHLO: "250 relay.example", ...script, RCPT } });
  });
  api = await startSending({}, { clock });
  const smtpUrl = relays.map(({ url }) => `${url}?maxConnections=1`).join(" ");
  await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl });
  return { clock, tries, log };
}

/** Loses what is for these kinds of addresses. */
const losing = (...kinds: string[]): Script => ({
  RCPT: ({ rcptTo }) => (kinds.some((kind) => rcptTo.at(-1)?.startsWith(kind)) ? drop : undefined),
});

test("a request waits for the relay that works, and is not tried at the pace of the other's mail", async () => {
  const free = Promise.withResolvers<void>();
  const taken = { reply: "250 2.0.0 Queued", and: "go on", after: free.promise } as const;
  const { clock, tries } = await startWith(losing("lost", "held"), { DOT: taken });
  const held = post(api, { to: "held@example.com" });
  await drivenUntil(clock, () => tries[1]?.["held"] === 1);
  clock.advance(1_000);
  const lost = post(api, { to: "lost@example.com" });
  await drivenUntil(clock, () => tries[0]?.["lost"] === 1);
  for (let n = 0; n < 4; n++) {
    const good = await driven(clock, post(api, { to: `good-${n}@example.com` }));
    expect(outcomes(good)).toEqual([`good-${n}@example.com SENT`]);
  }
  free.resolve();
  const answers = await driven(clock, Promise.all([held, lost]));
  expect(answers.map(outcomes)).toEqual([["held@example.com SENT"], ["lost@example.com SENT"]]);
  expect(tries).toEqual([
    { held: 1, lost: 1, good: 4 },
    { held: 1, lost: 1 },
  ]);
});

describe("a confirmation", () => {
  const newForm = async (): Promise<string> => {
    const { listId } = await makeAudience(api, 0);
    await api.call("PATCH", "/settings", { doubleOptIn: true });
    return (await api.call("POST", "/forms", { name: "Stay in touch", listId })).body.data.id;
  };
  const signUp = async (clock: ManualClock, form: string, email: string): Promise<void> => {
    const submit = fetch(`${api.url}/api/forms/${form}/submit`, {
      method: "POST",
      body: JSON.stringify({ email }),
    });
    expect((await driven(clock, submit)).ok).toBe(true);
  };
  const confirm = async (clock: ManualClock): Promise<void> =>
    signUp(clock, await newForm(), "new@example.com");
  const hasGone = (relay: number) => (): boolean => relays[relay]?.accepted.length === 1;

  test("goes through the next relay at once", async () => {
    const { clock, tries, log } = await startWith(losing("new"), {});
    await confirm(clock);
    await drivenUntil(clock, hasGone(1), 1);
    expect(tries).toEqual([{ new: 1 }, { new: 1 }]);
    expect((log[1]?.at ?? 0) - (log[0]?.at ?? 0)).toBeLessThan(30_000);
  });

  test("goes through the next relay after a silence that was too long", async () => {
    const { clock, tries } = await startWith({ RCPT: stall }, {});
    await confirm(clock);
    await drivenUntil(clock, hasGone(1), 10);
    expect(tries).toEqual([{ new: 1 }, { new: 1 }]);
  });

  test("that waits for the relay that works does not hold up those behind it", async () => {
    const free = Promise.withResolvers<void>();
    const taken = { reply: "250 2.0.0 Queued", and: "go on", after: free.promise } as const;
    const { clock, tries } = await startWith(losing("new", "held"), { DOT: taken });
    const form = await newForm();
    await signUp(clock, form, "held@example.com");
    await drivenUntil(clock, () => tries[1]?.["held"] === 1);
    await signUp(clock, form, "new@example.com");
    await drivenUntil(clock, () => tries[0]?.["new"] === 1);
    await signUp(clock, form, "good@example.com");
    await drivenUntil(clock, hasGone(0));
    expect(tries).toEqual([{ held: 1, new: 1, good: 1 }, { held: 1 }]);
    free.resolve();
    await drivenUntil(clock, () => relays[1]?.accepted.length === 2);
    expect(tries).toEqual([
      { held: 1, new: 1, good: 1 },
      { held: 1, new: 1 },
    ]);
  });

  test("that two relays lose has its pauses, and then the third gets it", async () => {
    const { clock, tries } = await startWith(losing("new"), losing("new"), {});
    await confirm(clock);
    await drivenUntil(clock, hasGone(2), 1_000);
    expect(tries).toEqual([{ new: 1 }, { new: 1 }, { new: 1 }]);
  });

  test("that all relays lose is tried twice at once, and then once after each pause", async () => {
    const { clock, log } = await startWith(losing("new"), losing("new"));
    await confirm(clock);
    await drivenUntil(clock, () => log.length === 4, 500);
    expect(log.map(({ relay }) => relay)).toEqual([0, 1, 0, 1]);
    const pauses = log.slice(1).map(({ at }, n) => at - (log[n]?.at ?? 0));
    // A fifth less than 5 and 15 minutes.
    expect([(pauses[1] ?? 0) >= 4 * 60_000, (pauses[2] ?? 0) >= 12 * 60_000]).toEqual([true, true]);
  });
});
