import { describe, expect, test } from "bun:test";
import { isAsShown } from "#console/ui/autosave/as-shown.ts";
import { autosaver, type Kept } from "#console/ui/autosave/autosaver.ts";
import { isSame } from "#console/ui/autosave/fields.ts";
import { draftInForce } from "#console/ui/autosave/in-force.ts";
import { knownServer } from "#console/ui/autosave/known-server.ts";

type Draft = { subject: string; body: string };

/** What is kept of a draft: what saves itself, and what is held. */
type Device = { changes: Partial<Draft>; held: Partial<Draft> };

/** A saver whose server and timers the test holds. */
function world(
  kept: Partial<Draft> = {},
  waits: (field: keyof Draft) => boolean = () => false,
  device: Device = { changes: kept, held: {} },
) {
  const timers: { run: () => void; ms: number }[] = [];
  const asked: { changes: Partial<Draft>; answer: (error?: Error) => void }[] = [];
  const storeOf = (kind: keyof Device): Kept<Draft> => ({
    read: () => device[kind],
    write: (changes) => (device[kind] = changes),
  });
  const saver = autosaver<Draft>({
    save: (changes) =>
      new Promise((resolve, reject) => {
        asked.push({ changes, answer: (error) => (error ? reject(error) : resolve()) });
      }),
    kept: storeOf("changes"),
    keptHeld: storeOf("held"),
    waits,
    isPassing: (error) => error.message === "away",
    later(run, ms) {
      const timer = { run, ms };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    now: () => new Date("2026-11-22T14:02:00Z"),
  });
  const tick = async () => {
    for (const { run } of timers.splice(0)) run();
    await settled();
  };
  return { saver, timers, asked, device, tick };
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe("saving by itself", () => {
  test("what is typed is saved once it is quiet, as one request, and says when", async () => {
    const { saver, asked, device, tick } = world();
    saver.change({ subject: "H" });
    saver.change({ subject: "Hello", body: "b" });
    expect(saver.status().isUnsaved).toBe(true);
    await tick();
    expect(asked.map(({ changes }) => changes)).toEqual([{ subject: "Hello", body: "b" }]);
    expect(saver.status()).toMatchObject({ isSaving: true, isUnsaved: true });
    asked[0]?.answer();
    await settled();
    expect(saver.status()).toEqual({
      isSaving: false,
      isUnsaved: false,
      error: null,
      savedAt: new Date("2026-11-22T14:02:00Z"),
      saves: 1,
    });
    expect(device.changes).toEqual({});
  });

  test("what is typed while it saves goes in the next request, never two at once", async () => {
    const { saver, asked, device, tick } = world();
    saver.change({ subject: "a" });
    await tick();
    saver.change({ subject: "ab" });
    await tick();
    expect(asked).toHaveLength(1);
    expect(device.changes).toEqual({ subject: "ab" });
    asked[0]?.answer();
    await settled();
    expect(saver.status().isUnsaved).toBe(true);
    await tick();
    expect(asked[1]?.changes).toEqual({ subject: "ab" });
  });

  test("a failed save loses nothing: it is kept on the device and tried again, under what was typed since", async () => {
    const { saver, asked, device, timers, tick } = world();
    saver.change({ subject: "a", body: "b" });
    await tick();
    saver.change({ subject: "newer" });
    asked[0]?.answer(new Error("away"));
    await settled();
    expect(saver.status()).toMatchObject({ isUnsaved: true, error: new Error("away"), savedAt: null });
    expect(device.changes).toEqual({ subject: "newer", body: "b" });
    expect(timers.length).toBeGreaterThan(0);
    await tick();
    expect(asked[1]?.changes).toEqual({ subject: "newer", body: "b" });
    asked[1]?.answer();
    await settled();
    expect(saver.status()).toMatchObject({ isUnsaved: false, error: null });
  });

  test("a refusal is not tried again by itself, but with the next change", async () => {
    const { saver, asked, timers, tick } = world();
    saver.change({ subject: "bad" });
    await tick();
    asked[0]?.answer(new Error("refused"));
    await settled();
    expect(timers).toHaveLength(0);
    saver.change({ subject: "good" });
    await tick();
    expect(asked[1]?.changes).toEqual({ subject: "good" });
  });

  test("what is typed while a refusal is on its way is saved by itself, and is refused no more than once", async () => {
    const { saver, asked, timers, tick } = world();
    saver.change({ subject: "bad" });
    await tick();
    saver.change({ subject: "worse" });
    await tick();
    asked[0]?.answer(new Error("refused"));
    await settled();
    await tick();
    expect(asked[1]?.changes).toEqual({ subject: "worse" });
    asked[1]?.answer(new Error("refused"));
    await settled();
    expect([asked.length, timers.length]).toEqual([2, 0]);
  });

  test("what a closed page left on the device is there again, and is saved", async () => {
    const { saver, asked } = world({ subject: "left behind" });
    expect(saver.unsaved()).toEqual({ subject: "left behind" });
    expect(saver.status().isUnsaved).toBe(true);
    const done = saver.flush();
    expect(asked[0]?.changes).toEqual({ subject: "left behind" });
    asked[0]?.answer();
    expect(await done).toBe(true);
  });

  test("what is forgotten is not saved, and is not kept on the device either", async () => {
    const { saver, asked, device, tick } = world();
    saver.change({ subject: "mine", body: "b" });
    saver.forget(["subject"]);
    expect(device.changes).toEqual({ body: "b" });
    await tick();
    expect(asked.map(({ changes }) => changes)).toEqual([{ body: "b" }]);
    asked[0]?.answer();
    await settled();
    saver.change({ subject: "again" });
    saver.forget(["subject"]);
    await tick();
    expect([asked.length, saver.status().isUnsaved]).toEqual([1, false]);
  });

  test("flush waits for what is under way, saves the rest, and says whether all of it is saved", async () => {
    const { saver, asked, tick } = world();
    saver.change({ subject: "a" });
    await tick();
    saver.change({ body: "b" });
    const done = saver.flush();
    asked[0]?.answer();
    await settled();
    expect(asked[1]?.changes).toEqual({ body: "b" });
    asked[1]?.answer(new Error("away"));
    expect(await done).toBe(false);
  });

  test("what waits is kept on the device, and is saved only when somebody asks for it", async () => {
    const { saver, asked, device, timers, tick } = world({}, (field) => field === "body");
    saver.change({ subject: "a", body: "b" });
    await tick();
    expect(asked.map(({ changes }) => changes)).toEqual([{ subject: "a" }]);
    asked[0]?.answer();
    await settled();
    expect([timers.length, await saver.flush(), asked.length]).toEqual([0, false, 1]);
    expect([device, saver.status().isUnsaved]).toEqual([{ changes: {}, held: { body: "b" } }, true]);
    const done = saver.flush(true);
    await settled();
    expect(asked[1]?.changes).toEqual({ body: "b" });
    asked[1]?.answer();
    expect([await done, device]).toEqual([true, { changes: {}, held: {} }]);
  });

  test("what was typed while it waited is not saved by itself when it waits no more, also after a reload", async () => {
    let waits = true;
    const { saver, asked, device, tick } = world({}, () => waits);
    saver.change({ body: "not meant yet" });
    waits = false;
    await tick();
    expect([await saver.flush(), asked.length, saver.isHeld("body")]).toEqual([false, 0, true]);
    expect(device).toEqual({ changes: {}, held: { body: "not meant yet" } });

    const after = world({}, () => waits, device);
    expect(await after.saver.flush()).toBe(false);
    expect([after.asked.length, after.saver.unsaved()]).toEqual([0, { body: "not meant yet" }]);
    after.saver.change({ subject: "meant" });
    await after.tick();
    after.asked[0]?.answer();
    await settled();
    after.saver.change({ body: "meant" });
    await after.tick();
    expect(after.asked.map(({ changes }) => changes)).toEqual([{ subject: "meant" }, { body: "meant" }]);
    after.asked[1]?.answer();
    await settled();
    expect(device).toEqual({ changes: {}, held: {} });
  });

  test("what is seen to wait before it is saved is held from then on", async () => {
    let waits = false;
    const { saver, asked, tick } = world({}, () => waits);
    saver.change({ body: "typed before" });
    waits = true;
    await tick();
    waits = false;
    expect([await saver.flush(), asked.length]).toEqual([false, 0]);
  });

  test("what is held and was asked for is held no more once it is saved, and still is if that fails", async () => {
    let waits = true;
    const { saver, asked, device } = world({}, () => waits);
    saver.change({ body: "b" });
    waits = false;
    const failed = saver.flush(true);
    await settled();
    asked[0]?.answer(new Error("refused"));
    expect([await failed, await saver.flush(), asked.length, device.held]).toEqual([
      false,
      false,
      1,
      { body: "b" },
    ]);
    const done = saver.flush(true);
    await settled();
    asked[1]?.answer();
    expect([await done, saver.isHeld("body"), device.held]).toEqual([true, false, {}]);
  });

  test("what was held is held again when its discarding is undone", async () => {
    const { saver, asked, tick } = world();
    saver.change({ subject: "mine", body: "not meant yet" }, ["body"]);
    await tick();
    expect(asked.map(({ changes }) => changes)).toEqual([{ subject: "mine" }]);
  });

  test("what waits and could not be saved is not sent by itself later", async () => {
    const { saver, asked, tick } = world({}, () => true);
    saver.change({ body: "b" });
    const done = saver.flush(true);
    await settled();
    asked[0]?.answer(new Error("away"));
    expect(await done).toBe(false);
    saver.change({ body: "not meant yet" });
    await tick();
    await tick();
    expect(asked).toHaveLength(1);
  });
});

describe("a screen that was left", () => {
  const comesTo = (name: string) => draftInForce(name, world);

  test("goes on saving only until somebody comes back: then one draft of the thing saves, and what is undone stays undone", async () => {
    const left = comesTo("campaign.1");
    left.saver.change({ subject: "50 %" });
    await left.tick();
    left.asked[0]?.answer(new Error("away"));
    await settled();

    const back = comesTo("campaign.1");
    expect(back.saver.unsaved()).toEqual({ subject: "50 %" });
    expect(comesTo("campaign.2").saver.unsaved()).toEqual({});
    back.saver.change({ subject: "5 %" });
    await back.tick();
    back.asked[1]?.answer();
    await settled();
    await left.tick();
    expect(left.asked.map(({ changes }) => changes)).toEqual([{ subject: "50 %" }, { subject: "5 %" }]);
    expect(left.timers).toEqual([]);
    // All is saved: who comes now sees the server's.
    expect(comesTo("campaign.1")).not.toBe(back);
  });

  test("is the one that is come back to while its save is on its way", async () => {
    const left = comesTo("campaign.3");
    left.saver.change({ subject: "a" });
    void left.saver.flush();
    expect(comesTo("campaign.3")).toBe(left);
    left.asked[0]?.answer();
    await settled();
    expect(comesTo("campaign.3")).not.toBe(left);
  });
});

describe("what cannot be undone", () => {
  /** A thing on a server, which others change too, and what a screen shows of it. */
  function shared(waits: () => boolean = () => false) {
    const there = { subject: "a", body: "b", updatedAt: "1" };
    const screen = { ...there };
    const nowhere = { read: () => ({}), write() {} };
    const server = knownServer<typeof there>(nowhere, isSame, (known) => void Object.assign(screen, known));
    server.see({ ...there });
    const saver = autosaver<typeof there>({
      async save(changes) {
        if (changes.subject === "bad") throw new Error("refused");
        server.know({ ...there });
        server.know(Object.assign(there, changes));
      },
      kept: nowhere,
      keptHeld: nowhere,
      waits,
      isPassing: () => false,
      later: () => () => {},
      now: () => new Date(0),
    });
    const load = async () => ({ ...there });
    const look = (isAll = false) =>
      isAsShown({
        saver,
        server,
        load,
        save: () => saver.flush(isAll),
        isAll,
        same: isSame,
        typedOn: "typed on",
      });
    return { saver, look, there, screen };
  }

  test("is done with what is shown, also where it was saved just before", async () => {
    const { saver, look, there } = shared();
    expect(await look()).toBe(true);
    saver.change({ subject: "mine" });
    expect([await look(), there.subject]).toEqual([true, "mine"]);
    there.updatedAt = "later";
    expect(await look()).toBe(true);
  });

  test("is not done with what somebody else has saved since; it is shown, and may be done then", async () => {
    const { look, there, screen } = shared();
    there.subject = "theirs";
    expect([await look(), screen.subject]).toEqual([false, "theirs"]);
    expect(await look()).toBe(true);
  });

  test("is not done with it either where the look before a save brought it", async () => {
    const { saver, look, there, screen } = shared();
    saver.change({ body: "mine" });
    there.subject = "theirs";
    expect([await look(), screen]).toEqual([false, { ...there, body: "mine" }]);
  });

  test("is not done where something cannot be saved", async () => {
    const { saver, look } = shared();
    saver.change({ subject: "bad" });
    expect(await look().catch((error: Error) => error.message)).toBe("refused");
  });

  test("is done without what is held, or with it once it is saved", async () => {
    let waits = true;
    const { saver, look, there } = shared(() => waits);
    saver.change({ subject: "bad", body: "mine" });
    waits = false;
    expect([await look(), there.body]).toEqual([true, "b"]);
    expect(await look(true).catch((error: Error) => error.message)).toBe("refused");
    saver.forget(["subject"]);
    expect([await look(true), there.body]).toEqual([true, "mine"]);
  });

  test("is not done where more was typed while it was being saved: it is said so in the person's language", async () => {
    const { saver, look } = shared();
    saver.change({ subject: "mine" });
    const looked = look();
    saver.change({ subject: "mine, and more" });
    expect(await looked.catch((error: Error) => error.message)).toContain("typed on");
  });
});
