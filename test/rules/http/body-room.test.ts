/** Who gets room in memory for a long body, and who waits (src/http/body/body-room.ts). */
import { beforeEach, describe, expect, test } from "bun:test";
import { BodyRooms, type Place } from "#http/body/body-room.ts";

const MIB = 1024 * 1024;
const OF_WORKSPACE = 32 * MIB;
const OF_STRANGERS = 16 * MIB;

let rooms: BodyRooms;
let entered: string[];
beforeEach(() => {
  rooms = new BodyRooms();
  entered = [];
});

/** Takes room, and writes the name down once there is some. */
async function take(name: string, place: Place, bytes: number): Promise<void> {
  await place.take(bytes);
  entered.push(name);
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A workspace whose room is full. */
function full(holder: string | null = "ws_1"): Place {
  const place = rooms.place(holder);
  expect(place.take(holder === null ? OF_STRANGERS : OF_WORKSPACE)).toBeNull();
  return place;
}

describe("room for bodies", () => {
  test("is taken by what has arrived, so that any number may begin", () => {
    const places = Array.from({ length: 1_024 }, () => rooms.place("ws_1"));
    for (const place of places) expect(place.take(OF_WORKSPACE / 1_024)).toBeNull();
  });

  test("is given in order, and at once to nobody while another waits", async () => {
    const [first, second] = [full(), rooms.place("ws_1")];
    // It goes beyond the room; the next ones wait.
    await take("second", second, MIB);
    const waiting = ["third", "fourth"].map((name) => take(name, rooms.place("ws_1"), MIB));
    await settled();
    expect(entered).toEqual(["second"]);
    first.leave();
    await Promise.all(waiting);
    expect(entered).toEqual(["second", "third", "fourth"]);
  });

  test("is exceeded by one at a time, to its end: else many that are half received would wait for each other", async () => {
    const half = OF_WORKSPACE / 2;
    const [first, second] = [rooms.place("ws_1"), rooms.place("ws_1")];
    for (const place of [first, second]) expect(place.take(half)).toBeNull();
    await take("first", first, half);
    void take("second", second, half);
    await take("first again", first, half);
    await settled();
    expect(entered).toEqual(["first", "first again"]);
    first.leave();
    await settled();
    expect(entered).toEqual(["first", "first again", "second"]);
  });

  test("is exceeded again, by another, once the one that did has left", async () => {
    full();
    const [second, third] = [rooms.place("ws_1"), rooms.place("ws_1")];
    await take("second", second, MIB);
    second.leave();
    await take("third", third, MIB);
    expect(entered).toEqual(["second", "third"]);
  });

  test("is not given to who comes later and needs less, while another waits for more", async () => {
    const [first, beyond, large, small] = Array.from({ length: 4 }, () => rooms.place("ws_1"));
    expect(first!.take(10 * MIB)).toBeNull();
    await take("beyond", beyond!, 23 * MIB);
    void take("large", large!, 20 * MIB);
    first!.leave();
    void take("small", small!, MIB);
    await settled();
    expect(entered).toEqual(["beyond"]);
    beyond!.leave();
    await settled();
    expect(entered).toEqual(["beyond", "large", "small"]);
  });

  test("is not given to who has gone", async () => {
    const first = full();
    await take("beyond", rooms.place("ws_1"), MIB);
    const gone = rooms.place("ws_1");
    void take("gone", gone, OF_WORKSPACE);
    const last = take("last", rooms.place("ws_1"), MIB);
    gone.leave();
    gone.leave();
    first.leave();
    await last;
    expect(entered).toEqual(["beyond", "last"]);
  });

  test("stays taken while one of several that have it leaves", async () => {
    full();
    rooms.place("ws_1").leave();
    await take("beyond", rooms.place("ws_1"), MIB);
    void take("waits", rooms.place("ws_1"), MIB);
    await settled();
    expect(entered).toEqual(["beyond"]);
  });

  test("of a workspace is its own, and so is that of strangers", () => {
    full("ws_1");
    full(null);
    full("ws_2");
    for (const holder of ["ws_1", "ws_2", null]) {
      const [beyond, waits] = [rooms.place(holder), rooms.place(holder)];
      expect(beyond.take(1)).not.toBeNull();
      expect(waits.take(1)).not.toBeNull();
    }
  });
});
