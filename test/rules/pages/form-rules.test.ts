import { createHmac } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { createLog } from "#log.ts";
import { judge, SHOWN_FIELD, shownToken, trapField } from "#forms/signup/robot.ts";
import { robotCounts } from "#forms/signup/signup-service.ts";
import { contrast, inkOn, parseColour } from "#core/colour.ts";
import { clientNetwork } from "#core/addresses/client-network.ts";
import { decideSubmission } from "#forms/signup/submit-rate.ts";
import { formLook } from "#pages/forms/form-look.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { MINUTE } from "../../support/common/durations.ts";

const NOW = Date.UTC(2026, 10, 21, 9);

const lookOf = (style: Readonly<Record<string, unknown>>) =>
  formLook(style, { language: "en", brandColor: "" });

describe("five submissions in ten minutes", () => {
  const at = (...minutesAgo: number[]) =>
    minutesAgo.map((minutes) => NOW - minutes * MINUTE).toSorted((a, b) => a - b);

  test.each([
    ["nothing before", [], true],
    ["four before", at(1, 2, 3, 4), true],
    ["five before", at(1, 2, 3, 4, 5), false],
    ["five, one of them ten minutes ago to the millisecond", at(1, 2, 3, 4, 10), true],
    ["five, one of them a millisecond less ago", [NOW - 10 * MINUTE + 1, ...at(4, 3, 2, 1)], false],
    ["five in the same millisecond", at(0, 0, 0, 0, 0), false],
    ["five that lie ahead, for the clock was set back", at(-60, -60, -60, -60, -60), true],
  ])("%s: admitted %p", (_, earlier, admitted) => {
    expect(decideSubmission(earlier, NOW).admitted).toBe(admitted);
  });

  test("the refusal names the second at which the oldest in the way is ten minutes old", () => {
    expect(decideSubmission(at(9, 3, 2, 1, 0), NOW)).toEqual({ admitted: false, retryAfterS: 60 });
    expect(decideSubmission(at(9, 8, 3, 2, 1, 0), NOW)).toEqual({ admitted: false, retryAfterS: 120 });
    expect(decideSubmission([NOW - 10 * MINUTE + 1, ...at(3, 2, 1, 0)], NOW)).toEqual({
      admitted: false,
      retryAfterS: 1,
    });
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["::1", "::/64"],
    ["", ""],
    ["unix", "unix"],
  ])("%p counts as %p", (address, network) => expect(clientNetwork(address)).toBe(network));
});

describe("robots", () => {
  const secret = new Uint8Array(32).fill(7);
  const FORM = { id: "form_a", fields: ["firstName"] };
  const TRAP_FIELD = trapField(FORM.fields);
  const shown = (msAgo: number, id = "form_a") => shownToken(secret, { ...FORM, id }, NOW - msAgo);
  test.each([
    ["a program's own post", {}, "plain"],
    ["a program that has a field of the trap's name", { [TRAP_FIELD]: "https://example.com" }, "plain"],
    ["a person", { [SHOWN_FIELD]: shown(2_000), [TRAP_FIELD]: "" }, "person"],
    ["a person a month later", { [SHOWN_FIELD]: shown(30 * 24 * 60 * MINUTE) }, "person"],
    ["somebody too quick", { [SHOWN_FIELD]: shown(1_999) }, "hasty"],
    ["a form from the future", { [SHOWN_FIELD]: shown(-5_000) }, "hasty"],
    ["another form's seal", { [SHOWN_FIELD]: shown(9_000, "form_b") }, "hasty"],
    ["a forged seal", { [SHOWN_FIELD]: shown(0).replace(/^[^.]*/, "1") }, "hasty"],
    ["a filled seal", { [SHOWN_FIELD]: "https://example.com" }, "hasty"],
    ["a seal that is no text", { [SHOWN_FIELD]: [1] }, "hasty"],
    ["a filled trap", { [SHOWN_FIELD]: shown(9_000), [TRAP_FIELD]: "x" }, "robot"],
    ["a filled trap of any type", { [SHOWN_FIELD]: shown(9_000), [TRAP_FIELD]: 0 }, "robot"],
  ])("%s: %p is %p", (_, fields, judgement) => {
    expect(judge(secret, FORM, fields, NOW)).toBe(judgement as never);
  });

  test("a field that the form asks for is no trap, whatever its name", () => {
    const fields = [TRAP_FIELD, `${TRAP_FIELD}2`];
    const form = { id: "form_a", fields };
    const asked = Object.fromEntries(fields.map((field) => [field, "https://example.com"]));
    const seal = { [SHOWN_FIELD]: shownToken(secret, form, NOW - 2_000) };
    expect(judge(secret, form, { ...seal, ...asked }, NOW)).toBe("person");
    expect(judge(secret, form, { ...seal, ...asked, [trapField(fields)]: "x" }, NOW)).toBe("robot");
  });

  test("the trap is the one that the page had, also where the form's fields are others by now", () => {
    const [before, now] = [{ ...FORM, fields: [TRAP_FIELD] }, FORM];
    const seal = { [SHOWN_FIELD]: shownToken(secret, before, NOW - 2_000) };
    expect(judge(secret, now, { ...seal, [TRAP_FIELD]: "https://example.com" }, NOW)).toBe("person");
    expect(judge(secret, now, { ...seal, [trapField(before.fields)]: "x" }, NOW)).toBe("robot");
    // A form that asks for it only now.
    expect(judge(secret, before, { [SHOWN_FIELD]: shown(2_000), [TRAP_FIELD]: "x" }, NOW)).toBe("robot");
  });

  test("a page that the version before has shown, whose seal names no trap, can still be submitted", () => {
    const time = (NOW - 2_000).toString(36);
    const mac = createHmac("sha256", secret).update(`form shown\0form_a\0${time}`).digest();
    const seal = `${time}.${mac.subarray(0, 12).toString("base64url")}`;
    expect(judge(secret, FORM, { [SHOWN_FIELD]: seal }, NOW)).toBe("person");
    expect(judge(secret, FORM, { [SHOWN_FIELD]: seal, [TRAP_FIELD]: "x" }, NOW)).toBe("robot");
    expect(judge(secret, FORM, { [SHOWN_FIELD]: `${seal}.${TRAP_FIELD}2` }, NOW)).toBe("hasty");
  });

  test("are counted by form in one line a minute, so that nobody vanishes without a trace", () => {
    const clock = manualClock();
    const lines: string[] = [];
    const count = robotCounts({
      clock,
      log: createLog({ level: "info", format: "json", clock, write: (line) => lines.push(line) }),
    });
    for (const formId of ["form_a", "form_b", "form_a"]) count(formId);
    expect(lines).toEqual([]);
    clock.advance(60_000);
    count("form_b");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "info", form_a: 2, form_b: 1 }),
    ]);
    clock.advance(60_000);
    expect(lines.map((line) => JSON.parse(line))[1]).toMatchObject({ form_b: 1 });
  });
});

describe("style", () => {
  test.each([
    ["#ABC", "#aabbcc"],
    ["#a1B2c3", "#a1b2c3"],
    [" rgb(1, 2,255) ", "#0102ff"],
    ["Rebeccapurple", null],
    ["navy", "#000080"],
    ["constructor", null],
    ["#abcd", null],
    ["rgb(1,2,256)", null],
    ["red;}", null],
    ["url(https://evil.example)", null],
    ["var(--x)", null],
    ["#abc</style>", null],
    [5, null],
    [null, null],
    [["#abc"], null],
  ])("the colour %p is %p", (value, colour) => expect(parseColour(value)).toBe(colour));

  test("black or white is always read well enough", () => {
    for (let value = 0; value < 4096; value++) {
      const colour = parseColour(`#${value.toString(16).padStart(3, "0")}`)!;
      expect(contrast(colour, inkOn(colour))).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("what is not understood is passed over", () => {
    const plain = lookOf({});
    expect(
      lookOf({ buttonText: 5, buttonColor: "x", cornerRadius: "1e9px", fontSize: -1, other: {} }),
    ).toEqual(plain);
    expect(lookOf(JSON.parse('{"__proto__":{"buttonColor":"#fff"}}'))).toEqual(plain);
    expect(lookOf(Object.create({ buttonText: "inherited" }))).toEqual(plain);
  });

  test("sizes are numbers within bounds, whatever they were written as", () => {
    const radius = (cornerRadius: unknown) => lookOf({ cornerRadius }).cornerRadiusPx;
    expect([radius(0), radius("12"), radius("12px"), radius(" 4.5px "), radius(48)]).toEqual([
      0, 12, 12, 4.5, 48,
    ]);
    for (const bad of [49, -1, "1em", "calc(1px)", "12px;}", "", Number.NaN, Infinity, [4]])
      expect(radius(bad)).toBe(8);
  });

  test("a background or text colour alone brings the other with it", () => {
    expect(lookOf({ backgroundColor: "#111" }).card).toMatchObject({ ground: "#111111", ink: "#ffffff" });
    expect(lookOf({ textColor: "#eee" }).card).toMatchObject({ ground: "#14181e", ink: "#eeeeee" });
    expect(lookOf({ textColor: "#222" }).card).toMatchObject({ ground: "#ffffff", ink: "#222222" });
  });
});
