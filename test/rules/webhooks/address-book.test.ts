import { expect, test } from "bun:test";
import { MINUTE_MS } from "#core/time/time.ts";
import { addressBook } from "#webhooks/calls/address-book.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const urlOf = (host: string): URL => new URL(`https://${host}/hook`);

/** A book, and the names that were looked up for it. */
function bookOf(resolve: (asked: readonly string[]) => readonly string[]) {
  const clock = manualClock();
  const asked: string[] = [];
  const book = addressBook(clock, async (host) => {
    asked.push(host);
    return resolve(asked);
  });
  return {
    clock,
    asked,
    find: (host: string, allowPrivate = false) => book.find(urlOf(host), allowPrivate),
    avoid: (host: string, address: string) => book.avoid(urlOf(host), address),
  };
}

test("a name is looked up again after a minute, and has its new address then", async () => {
  const { clock, asked, find } = bookOf(({ length }) => [length === 1 ? "1.1.1.1" : "8.8.8.8"]);
  expect(await find("a.example")).toEqual({ address: "1.1.1.1" });
  clock.advance(MINUTE_MS - 1);
  expect(await find("a.example")).toEqual({ address: "1.1.1.1" });
  clock.advance(1);
  expect(await find("a.example")).toEqual({ address: "8.8.8.8" });
  expect(asked).toHaveLength(2);
});

test("a name whose new address is private is refused, although its first one was public", async () => {
  const { clock, find } = bookOf(({ length }) => [length === 1 ? "1.1.1.1" : "10.0.0.1"]);
  expect(await find("a.example")).toEqual({ address: "1.1.1.1" });
  clock.advance(MINUTE_MS);
  expect(await find("a.example")).toMatchObject({ kind: "forbidden" });
});

test("a private name or address is a target only where private ones are allowed", async () => {
  const { asked, find } = bookOf(() => ["10.0.0.1"]);
  for (const host of ["localhost", "10.0.0.1"]) expect(await find(host)).toMatchObject({ kind: "forbidden" });
  expect(asked).toEqual([]);
  expect(await find("inside.example")).toMatchObject({ kind: "forbidden" });
  for (const host of ["localhost", "10.0.0.1", "inside.example"])
    expect(await find(host, true)).toEqual({ address: "10.0.0.1" });
});

test("of several addresses the next one is used after a failure, by however many requests it is told", async () => {
  const { find, avoid } = bookOf(() => ["1.1.1.1", "8.8.8.8", "9.9.9.9"]);
  avoid("a.example", "1.1.1.1");
  expect(await find("a.example")).toEqual({ address: "1.1.1.1" });
  for (let requests = 0; requests < 2; requests++) avoid("a.example", "1.1.1.1");
  expect(await find("a.example")).toEqual({ address: "8.8.8.8" });
});

test("a name without an address is looked up each time", async () => {
  const { asked, find } = bookOf(({ length }) => (length === 1 ? [] : ["1.1.1.1"]));
  expect(await find("a.example")).toMatchObject({ kind: "failed" });
  expect(await find("a.example")).toEqual({ address: "1.1.1.1" });
  expect(asked).toHaveLength(2);
});

test("a thousand names are kept, and all are forgotten for the next one", async () => {
  const { asked, find } = bookOf(() => ["1.1.1.1"]);
  for (let n = 0; n < 1_000; n++) await find(`a${n}.example`);
  await find("a0.example");
  expect(asked).toHaveLength(1_000);
  await find("more.example");
  await find("a0.example");
  expect(asked).toHaveLength(1_002);
});
