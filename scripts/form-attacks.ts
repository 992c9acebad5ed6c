/**
 * The attacks on sign-up forms of docs/failure-catalogue.md "A-01", "A-04", "A-09", "H-10" in full size; the
 * tests run small ones. Takes some minutes. Prints one line for each attack, and exits with 1 if a figure is
 * missed. A-09 measures time, so it needs a machine that does nothing else.
 *
 *     bun scripts/form-attacks.ts [A-01|A-04|A-09|H-10]
 */
import { contactOf, person } from "../test/support/people/people.ts";
import { newForm, startForms, type FormsApi } from "../test/support/people/forms.ts";

const FORMS = 100;
const POSTS = 10_000;
const NETWORK_ADDRESSES = 1_000_000;
const TOKENS = 1_000_000;
const AT_ONCE = 200;
const TIMED = 300;

let missed = 0;
function figure(name: string, value: unknown, holds: boolean): void {
  if (!holds) missed++;
  console.log(`${holds ? "ok    " : "MISSED"} ${name}: ${JSON.stringify(value)}`);
}

/** Calls `run` for 0 to count - 1, some at a time. Returns how often each answer came. */
async function tally(count: number, run: (i: number) => Promise<number>): Promise<Record<number, number>> {
  const seen: Record<number, number> = {};
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const answer = await run(next++);
      seen[answer] = (seen[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return seen;
}

async function listBombing(api: FormsApi): Promise<void> {
  const forms = await Promise.all(Array.from({ length: FORMS }, () => newForm(api)));
  const victims = Array.from({ length: 9 }, (_, i) => `victim-${i}@example.com`);
  const statuses = await tally(POSTS, async (i) => {
    const answer = await api.submit(forms[i % FORMS].id, { email: victims[i % 9]! });
    await answer.text();
    return answer.status;
  });
  await Promise.all(victims.map((email) => api.confirmLinks(email, 3)));
  const mails = victims.map((email) => api.relay.accepted.filter(({ rcptTo }) => rcptTo[0] === email).length);
  figure("A-01 answers", statuses, statuses[200] === POSTS);
  figure(
    "A-01 mails per victim",
    mails,
    mails.every((count) => count <= 3),
  );
}

async function limiter(api: FormsApi): Promise<void> {
  const { id } = await newForm(api);
  const submit = async (ip: string): Promise<number> => {
    const answer = await api.submit(id, { email: "limit@example.com" }, { ip });
    await answer.text();
    return answer.status;
  };
  const forged = await tally(POSTS, (i) =>
    submit(`203.0.113.${i % 256}, 198.51.100.${(i * 7) % 256}, 192.0.2.1`),
  );
  figure("H-10 forged X-Forwarded-For", forged, forged[200] === 5 && forged[429] === POSTS - 5);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const network = await tally(NETWORK_ADDRESSES, (i) => {
    // The log of the test service is not part of what is measured.
    if (i % 1_000 === 0) api.logLines.length = 0;
    return submit(`2001:db8:5:5::${(i >> 16).toString(16)}:${(i & 65535).toString(16)}`);
  });
  Bun.gc(true);
  figure(
    "H-10 a million addresses of one /64",
    network,
    network[200] === 5 && network[429] === NETWORK_ADDRESSES - 5,
  );
  const grownMb = (process.memoryUsage().rss - before) / 1024 / 1024;
  figure("H-10 memory grown by, MB (caller and service together)", Math.round(grownMb), grownMb < 32);
}

async function guessing(api: FormsApi): Promise<void> {
  const email = "guessed@example.com";
  const { id } = await newForm(api);
  await api.submit(id, { email });
  const [link] = await api.confirmLinks(email);
  const real = Buffer.from(link!.split("/")[2]!, "base64url");
  const statuses = await tally(TOKENS, async (i) => {
    const bytes = Buffer.from(real);
    if (i % 2 === 0) crypto.getRandomValues(bytes.subarray(8));
    else bytes[(i >> 4) % 24]! ^= 1 << (i % 8);
    const answer = await fetch(`${api.url}/confirm/${bytes.toString("base64url")}`, { method: "POST" });
    await answer.text();
    return answer.status;
  });
  figure("A-04 guessed and bent confirmation links", statuses, statuses[404] === TOKENS);
  figure(
    "A-04 their victim",
    (await contactOf(api, email)).status,
    (await contactOf(api, email)).status === "PENDING",
  );
}

/** Welch's t: how surely two samples have different means. Beyond 4.5 in either direction it is no chance. */
function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const error = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1) / values.length;
  return (mean(a) - mean(b)) / Math.sqrt(error(a) + error(b));
}

async function timing(api: FormsApi): Promise<void> {
  const form = await newForm(api);
  await person(api, "known@example.com");
  const times = { fresh: [] as number[], known: [] as number[], left: [] as number[] };
  for (let round = 0; round < TIMED; round++) {
    // One address gets one mail a form: each round has another, so that each is written to.
    await person(api, `left-${round}@example.com`, { status: "UNSUBSCRIBED" });
    const asked = [
      ["fresh", `fresh-${round}@example.com`],
      ["known", "known@example.com"],
      ["left", `left-${round}@example.com`],
    ] as const;
    for (let turn = 0; turn < asked.length; turn++) {
      const [kind, email] = asked[(turn + round) % asked.length]!;
      const startedAt = performance.now();
      await (await api.submit(form.id, { email })).text();
      times[kind].push(performance.now() - startedAt);
    }
  }
  const differences = [
    welch(times.fresh, times.known),
    welch(times.fresh, times.left),
    welch(times.known, times.left),
  ];
  figure(
    "A-09 how surely times of answers differ (4.5: no accident)",
    differences.map((t) => Math.round(t * 10) / 10),
    differences.every((t) => Math.abs(t) < 4.5),
  );
}

const ATTACKS: Readonly<Record<string, (api: FormsApi) => Promise<void>>> = {
  "A-01": listBombing,
  "A-04": guessing,
  "A-09": timing,
  "H-10": limiter,
};
const [wanted] = process.argv.slice(2);
if (wanted !== undefined && !(wanted in ATTACKS)) {
  console.error(`Usage: bun scripts/form-attacks.ts [${Object.keys(ATTACKS).join("|")}]`);
  process.exit(2);
}
const api = await startForms({ doubleOptIn: true });
for (const [name, attack] of Object.entries(ATTACKS))
  if (wanted === undefined || wanted === name) await attack(api);
await api.stop();
process.exit(missed === 0 ? 0 : 1);
