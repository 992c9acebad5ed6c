import { describe, expect, test } from "bun:test";
import { lackOfRoom, NoRoomError } from "#backups/room.ts";

const MIB = 1024 ** 2;
const lack = (copyMib: number, freeMib: number, isServersDisk: boolean) =>
  lackOfRoom({ copyBytes: copyMib * MIB, freeBytes: freeMib * MIB, isServersDisk });

describe("a backup", () => {
  test("leaves the server 100 MiB on its own disk", () => {
    expect(lack(500, 600, true)).toBeNull();
    expect(lack(500, 599, true)).toEqual({ copyMib: 500, spareMib: 100, freeMib: 599 });
    expect(lack(0.1, 100.9, true)).toEqual({ copyMib: 1, spareMib: 100, freeMib: 100 });
  });

  test("may fill another disk but for one", () => {
    expect(lack(500, 501, false)).toBeNull();
    expect(lack(500, 500.9, false)).toEqual({ copyMib: 500, spareMib: 1, freeMib: 500 });
  });

  test("that does not fit says in one line what it needs and what is free", () => {
    const lacks = { copyMib: 500, spareMib: 100, freeMib: 300 };
    const { message } = new NoRoomError(lacks, "/var/backups", "backup");
    expect(message).toBe(
      "there is no room for a backup in /var/backups: it needs 600 MiB (500 for the copy, 100 to spare), and 300 MiB are free: make room, or name a file on another disk",
    );
  });
});
