/**
 * One attack on a server: `bun scripts/prove/attack-child.ts NAME URL KEY DATA_DIR`. Prints what was
 * answered.
 */
import { ATTACKS } from "./all-attacks.ts";
import type { Answer, Send } from "./attacks.ts";

const [name, url, key, dataDir = ""] = process.argv.slice(2);
const attack = ATTACKS.find((each) => each.name === name);
if (attack === undefined) throw new Error(`There is no attack "${name}".`);

const send: Send = async (method, path, body, headers = {}) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "idempotency-key": crypto.randomUUID(), ...headers },
    ...(body === undefined ? {} : { body }),
  }).catch(() => null);
  if (response === null) return { status: 0, body: {} };
  const answer = (await response.json().catch(() => ({}))) as Answer["body"];
  return { status: response.status, body: answer };
};

console.log(await attack.run(send, dataDir));
