/**
 * Made-up people, the same ones in every run: names that occur often and seldom, addresses of many lengths.
 */

const FIRST = [
  "Ada",
  "Grace",
  "Linus",
  "Barbara",
  "Donald",
  "Edsger",
  "Frances",
  "Radia",
  "Ken",
  "Margaret",
  "Zoë",
];
const LAST = [
  "Lovelace",
  "Hopper",
  "Torvalds",
  "Liskov",
  "Knuth",
  "Dijkstra",
  "Allen",
  "Perlman",
  "Thompson",
];

export type Person = { readonly email: string; readonly firstName: string; readonly lastName: string };

export function personOf(n: number): Person {
  // A multiplicative hash: neighbours differ, and n stays in the address, so that none comes twice.
  const mixed = Math.imul(n + 1, 2_654_435_761) >>> 0;
  const firstName = FIRST[mixed % FIRST.length]!;
  const lastName = LAST[(mixed >>> 8) % LAST.length]!;
  const name = mixed.toString(36);
  return { email: `${name}.${n}@example${mixed % 50}.com`, firstName, lastName };
}
