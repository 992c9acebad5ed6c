/**
 * Nobody can stall the server. Each attack of `attacks.ts` runs while another client requests `GET /health` again
 * and again. The longest wait shows what one request can do to everybody else. On a busy machine everybody waits,
 * so each attack is compared with the same server, idle, just before it. An attack that looks bad is tried again.
 */
import { startPostrider, startSink, type Postrider } from "../bench/processes/processes.ts";
import { ATTACKS } from "./all-attacks.ts";
import type { Attack } from "./attacks.ts";

const WAIT_MAX_MS = 50;
const IDLE_MS = 1_500;
const TRIES = 3;
const SINK_PORT = 18_095;

type Wait = { longestMs: number; asked: number };

/** Asks for `/health` until `over`, and notes the longest wait. */
async function poll(url: string, over: () => boolean): Promise<Wait> {
  const wait: Wait = { longestMs: 0, asked: 0 };
  while (!over()) {
    const from = performance.now();
    await (await fetch(`${url}/health`)).arrayBuffer();
    wait.longestMs = Math.max(wait.longestMs, performance.now() - from);
    wait.asked++;
    await Bun.sleep(1);
  }
  return wait;
}

const idle = async (url: string): Promise<Wait> => {
  const until = performance.now() + IDLE_MS;
  return await poll(url, () => performance.now() > until);
};

type Tried = { answer: string; seconds: number; wait: Wait; idle: Wait };

/**
 * The attack runs in a process of its own (`attack-child.ts`), so that making and sending its body does not delay
 * the measurement.
 */
async function attempt(server: Postrider, attack: Attack): Promise<Tried> {
  const before = await idle(server.url);
  let isOver = false;
  const child = Bun.spawn(
    [
      process.execPath,
      `${import.meta.dir}/attack-child.ts`,
      attack.name,
      server.url,
      server.key,
      server.dataDir,
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const from = performance.now();
  const answered = new Response(child.stdout).text().finally(() => (isOver = true));
  const wait = await poll(server.url, () => isOver);
  const answer = (await answered).trim();
  return { answer, seconds: (performance.now() - from) / 1000, wait, idle: before };
}

const allowed = ({ idle: { longestMs } }: Tried): number => WAIT_MAX_MS + longestMs;

/** With words, only the attacks whose name has one of them. */
export async function proveStalls(words: readonly string[]): Promise<boolean> {
  const attacks = ATTACKS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (attacks.length === 0) throw new Error(`No attack has a name with ${words.join(" or ")}.`);
  const sink = await startSink(SINK_PORT);
  const relayed = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}`, 18_094);
  const captured = await startPostrider(null, 18_096);
  const rows: Record<string, string | number>[] = [];
  let holds = true;
  try {
    for (const attack of attacks) {
      const server = attack.isCaptured ? captured : relayed;
      let best: Tried | null = null;
      for (let tries = 0; tries < TRIES; tries++) {
        const tried = await attempt(server, attack);
        if (best === null || tried.wait.longestMs < best.wait.longestMs) best = tried;
        if (best.wait.longestMs <= allowed(best)) break;
      }
      const isHeld = best !== null && best.wait.longestMs <= allowed(best);
      if (!isHeld) holds = false;
      rows.push(rowOf(attack, best!, isHeld));
      console.log(JSON.stringify(rows.at(-1)));
    }
  } finally {
    await relayed.stop();
    await captured.stop();
    await sink.stop();
  }
  console.table(rows);
  return holds;
}

const rowOf = ({ name }: Attack, { answer, seconds, wait, idle: before }: Tried, isHeld: boolean) => ({
  attack: name,
  answer,
  seconds: Math.round(seconds * 10) / 10,
  "longest wait, ms": Math.round(wait.longestMs),
  "idle, ms": Math.round(before.longestMs),
  held: isHeld ? "yes" : "NO",
});
