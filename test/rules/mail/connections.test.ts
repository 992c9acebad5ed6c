import { describe, expect, test } from "bun:test";
import { mayServeMore, onEnded, unknownLife, type Life } from "#mail/smtp/relay/connection-life.ts";
import {
  bulkShare,
  connectionsAllowed,
  initialRoom,
  onRefused,
  onTaken,
  type Room,
} from "#mail/smtp/relay/connection-room.ts";
import { MINUTE } from "../../support/common/durations.ts";

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
  /** Connections that ended one after the other, each before the next began, after so many messages. */
  const ended = (...counts: readonly number[]): Life =>
    counts.reduce(
      (life, served, at) => onEnded(life, { served, number: at + 1, begun: at + 1 }, START),
      unknownLife,
    );

  test("one end says nothing; two alike are its rule", () => {
    expect(mayServeMore(ended(100), 5_000, START)).toBe(true);
    const twice = ended(100, 100);
    expect([mayServeMore(twice, 99, START), mayServeMore(twice, 100, START)]).toEqual([true, false]);
  });

  test("is not shown by connections that were open at the same time: all of them end when the relay restarts", () => {
    const together = [1, 2, 3, 4, 5].reduce(
      (life, number) => onEnded(life, { served: 100, number, begun: 5 }, START),
      unknownLife,
    );
    expect(together.messages).toBeNull();
    expect(onEnded(together, { served: 100, number: 6, begun: 10 }, START).messages).toBe(100);
  });

  test("a relay that counts refused messages otherwise than we do is alike enough, and the smaller number counts", () => {
    expect(ended(1_007, 998).messages).toBe(998);
  });

  test("ends at any number are no rule", () => {
    expect(ended(3, 400, 90, 1_000, 17).messages).toBeNull();
  });

  test("is looked at anew after an hour", () => {
    const life = ended(100, 100);
    expect(mayServeMore(life, 100, START + 59 * MINUTE)).toBe(false);
    expect(mayServeMore(life, 100, START + 60 * MINUTE)).toBe(true);
  });
});
