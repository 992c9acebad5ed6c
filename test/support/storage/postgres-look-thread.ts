/** The thread that reads for `postgresLook`, on one connection. */
import { SQL } from "bun";
import { HEAD, HEAD_BYTES, type Asked } from "./postgres-look.ts";

let connection: SQL | undefined;

addEventListener("message", (event: MessageEvent<Asked>) => void answer(event.data));

async function answer({ url, statement, values, answer: shared }: Asked): Promise<void> {
  const head = new Int32Array(shared, 0, HEAD.length);
  const give = (text: string, isError: boolean) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(shared, HEAD_BYTES).set(bytes);
    head[HEAD.bytes] = bytes.length;
    head[HEAD.isError] = Number(isError);
    Atomics.store(head, HEAD.isThere, 1);
    Atomics.notify(head, HEAD.isThere);
  };
  try {
    connection ??= new SQL({ url, max: 1, connection: { default_transaction_read_only: "on" } });
    const [first] = await connection.unsafe(statement, [...values]).values();
    give(first[0], false);
  } catch (error) {
    give(String(error), true);
  }
}
