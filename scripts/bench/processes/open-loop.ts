/**
 * A client in its own process. Every kind of request starts at fixed times, even if earlier requests were not
 * answered yet. A wait is counted from the time when the request was due. So a server that stalls is seen by
 * every request that it delays.
 *
 *     bun scripts/bench/processes/open-loop.ts ORDERS
 *
 * ORDERS is JSON. Runs until its input ends, then prints the waits of each kind in ms, as JSON.
 */
export type Orders = {
  readonly url: string;
  readonly key: string;
  readonly requests: Readonly<Record<string, TimedRequest>>;
};

export type TimedRequest = {
  readonly perSecond: number;
  readonly method: string;
  /** `{n}` in path and body is the number of the request. */
  readonly path: string;
  readonly body?: unknown;
};

async function run({ url, key, requests }: Orders, isOver: () => boolean): Promise<Record<string, number[]>> {
  const startedMs = performance.now() + 100;
  const waits: Record<string, number[]> = {};
  const kinds = Object.entries(requests).map(async ([kind, request], place) => {
    const mine: number[] = (waits[kind] = []);
    const everyMs = 1000 / request.perSecond;
    const open: Promise<void>[] = [];
    for (let n = 0; !isOver(); n++) {
      // The kinds begin at different moments, so that they do not come in bursts.
      const dueMs = startedMs + (n + place / Object.keys(requests).length) * everyMs;
      const untilMs = dueMs - performance.now();
      if (untilMs > 0) await Bun.sleep(untilMs);
      open.push(ask(url, key, request, n).then(() => void mine.push(performance.now() - dueMs)));
    }
    await Promise.all(open);
  });
  await Promise.all(kinds);
  return waits;
}

async function ask(url: string, key: string, { method, path, body }: TimedRequest, n: number): Promise<void> {
  const numbered = (text: string): string => text.replaceAll("{n}", String(n));
  const response = await fetch(url + numbered(path), {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: numbered(JSON.stringify(body)) }),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
}

if (import.meta.main) {
  let isOver = false;
  void Bun.stdin.text().then(() => (isOver = true));
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]!) as Orders, () => isOver)));
}
