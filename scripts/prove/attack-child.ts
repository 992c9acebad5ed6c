/** One attack on a server: `bun scripts/prove/attack-child.ts NAME URL KEY`. Prints what was answered. */
import { ATTACKS, type Answer, type Send } from "./attacks.ts";

const [name, url, key] = process.argv.slice(2);
const attack = ATTACKS.find((each) => each.name === name);
if (attack === undefined) throw new Error(`There is no attack "${name}".`);

const send: Send = async (method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "idempotency-key": crypto.randomUUID() },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
};

console.log(await attack.run(send));
