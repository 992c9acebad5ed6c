import { describe, expect, test } from "bun:test";
import { mayServeMore, onEnded, unknownLife } from "#mail/smtp/relay/connection-life.ts";
import {
  bulkShare,
  connectionsAllowed,
  initialRoom,
  onRefused,
  onTaken,
  type Room,
} from "#mail/smtp/relay/connection-room.ts";

const MINUTE = 60_000;
const START = 1_700_000_000_000;

describe("how many connections a relay takes", () => {
  /** Ten are opened at once, and it takes five. */
  const takesFive = (): Room =>
    [9, 8, 7, 6, 5].reduce(
      (room, others) => onRefused(room, { others, wasTry: false }, START),
      initialRoom(10),
    );

  test("is as many as allowed until one is refused while others stand", () => {
    expect(connectionsAllowed(initialRoom(10), START)).toBe(10);
    expect(connectionsAllowed(takesFive(), START)).toBe(5);
  });

  test("one more is tried after a minute, and after every refused try twice as late, up to half an hour", () => {
    let room = takesFive();
    let now = START;
    for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
      expect(connectionsAllowed(room, now + minutes * MINUTE - 1)).toBe(5);
      now += minutes * MINUTE;
      expect(connectionsAllowed(room, now)).toBe(6);
      room = onRefused(room, { others: 5, wasTry: true }, now);
    }
  });

  test("grows with every try that is taken, never above what the operator allows", () => {
    let room = takesFive();
    let now = START;
    for (const taken of [6, 7, 8, 9, 10, 10]) {
      now += MINUTE;
      expect(connectionsAllowed(room, now)).toBe(taken);
      if (room.takes !== null) room = onTaken(room, now);
      expect(connectionsAllowed(room, now)).toBe(taken);
    }
    expect(room).toEqual(initialRoom(10));
  });

  test("a clock set back does not put the next try off for ever", () => {
    expect(connectionsAllowed(takesFive(), START - 60 * MINUTE)).toBe(6);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [10, 9],
    [100, 99],
  ])("of %d a campaign has at most %d", (connections, bulk) => {
    expect(bulkShare(connections)).toBe(bulk);
  });
});

describe("after how many messages a relay ends a connection", () => {
  test("one end says nothing; two alike are its rule", () => {
    const once = onEnded(unknownLife, 100, START);
    expect(mayServeMore(once, 5_000, START)).toBe(true);
    const twice = onEnded(once, 100, START);
    expect([mayServeMore(twice, 99, START), mayServeMore(twice, 100, START)]).toEqual([true, false]);
  });

  test("a relay that counts refused messages otherwise than we do is alike enough, and the smaller number counts", () => {
    const life = onEnded(onEnded(unknownLife, 1_007, START), 998, START);
    expect(life.messages).toBe(998);
  });

  test("ends at any number are no rule", () => {
    const life = [3, 400, 90, 1_000, 17].reduce(
      (known, served) => onEnded(known, served, START),
      unknownLife,
    );
    expect(life.messages).toBeNull();
  });

  test("is looked at anew after an hour", () => {
    const life = onEnded(onEnded(unknownLife, 100, START), 100, START);
    expect(mayServeMore(life, 100, START + 59 * MINUTE)).toBe(false);
    expect(mayServeMore(life, 100, START + 60 * MINUTE)).toBe(true);
  });
});
