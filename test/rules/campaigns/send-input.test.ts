import { describe, expect, test } from "bun:test";
import { accept, unwrap } from "#core/errors/errors.ts";
import { parseSchedule, readSendOptions } from "#campaigns/send/send-input.ts";
import { scheduleBody, sendBody } from "#campaigns/schema.ts";
import { atOnce } from "#core/time/event-loop.ts";
import { expectRefused, readAs } from "../../support/server/body.ts";

const NOW = Date.UTC(2026, 10, 21, 9, 0, 0);

const schedule = readAs(scheduleBody, (body) => parseSchedule(body, NOW));
const options = readAs(sendBody, (body) => accept(atOnce(readSendOptions(body))));

describe("the time of a schedule", () => {
  test.each([
    ["2026-11-21T09:00:30Z", NOW + 30_000],
    ["2026-11-21T10:00:30+01:00", NOW + 30_000],
    ["2026-11-21T09:30", NOW + 30 * 60_000],
    [" 2026-11-21T04:30:00-0500 ", NOW + 30 * 60_000],
  ])("%s is taken", (scheduledAt, at) => {
    expect(unwrap(schedule({ scheduledAt }))).toBe(at);
  });

  test.each([
    "2026-11-21T09:00:29.999Z",
    "2026-11-21T09:00:00Z",
    "2026-11-21T09:30:00+01:00",
    "2020-01-01T00:00:00Z",
  ])("%s is less than 30 seconds in the future and refused", (scheduledAt) => {
    expectRefused(schedule({ scheduledAt }), "30 seconds");
  });

  test.each([
    [undefined],
    [null],
    [""],
    ["2026-11-22"],
    ["2027-02-30T09:00:00Z"],
    ["tomorrow"],
    [NOW + 60_000],
    [true],
    [{}],
    [["2026-11-22T09:00:00Z"]],
  ])("%p is no date-time and refused", (scheduledAt) => {
    expectRefused(schedule({ scheduledAt }), "scheduledAt");
  });
});

describe("the options of a send", () => {
  test("may be left out, and null means not sent", () => {
    const none = { excludeEmails: [], overrideQuietHours: false };
    expect(unwrap(options({}))).toEqual(none);
    expect(unwrap(options({ excludeEmails: null, overrideQuietHours: null }))).toEqual(none);
  });

  test("excluded addresses are compared as addresses: trimmed, any case, A-labels, each once", () => {
    const excludeEmails = [" Ada@Example.COM ", "ada@example.com", "grace@bücher.example"];
    expect(unwrap(options({ excludeEmails, overrideQuietHours: true }))).toEqual({
      excludeEmails: ["ada@example.com", "grace@xn--bcher-kva.example"],
      overrideQuietHours: true,
    });
  });

  test("an address may have its name in front of it", () => {
    const excludeEmails = ['"Ada L." <ADA@example.com> ', "Grace <not an address>"];
    expect(unwrap(options({ excludeEmails })).excludeEmails).toEqual([
      "ada@example.com",
      "grace <not an address>",
    ]);
  });

  test("many excluded addresses are read in pieces: others have their turn", () => {
    const excludeEmails = Array.from({ length: 1_000 }, (_, n) => `p${n}@bücher.example`);
    const reading = readSendOptions({ excludeEmails });
    let pieces = 1;
    let step = reading.next();
    for (; step.done !== true; step = reading.next()) pieces++;
    expect(pieces).toBe(10);
    expect(step.value.excludeEmails).toHaveLength(1_000);
    expect(step.value.excludeEmails[999]).toBe("p999@xn--bcher-kva.example");
  });

  test("an entry that is no address does not stop the send", () => {
    expect(unwrap(options({ excludeEmails: [" Not An Address ", ""] })).excludeEmails).toEqual([
      "not an address",
      "",
    ]);
  });

  test("anything but an array of strings is refused", () => {
    for (const excludeEmails of ["ada@example.com", 7, true, {}])
      expectRefused(options({ excludeEmails }), "excludeEmails");
    for (const entry of [null, 7, {}, ["ada@example.com"]]) {
      expectRefused(options({ excludeEmails: ["grace@example.org", entry] }), "excludeEmails");
    }
  });

  test("overrideQuietHours is a boolean", () => {
    for (const overrideQuietHours of ["true", 1, 0, "", {}, []])
      expectRefused(options({ overrideQuietHours }), "overrideQuietHours");
  });
});
