import { afterAll, beforeAll, expect, test } from "bun:test";
import { newForm, startForms, type FormsApi } from "../support/forms.ts";
import { person } from "../support/people.ts";

const SAMPLES = 45;

let api: FormsApi;
beforeAll(async () => {
  api = await startForms();
});
afterAll(() => api.stop());

/** Welch's t: how surely two samples have different means. Beyond 4.5 either way it is no accident. */
function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const error = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1) / values.length;
  return (mean(a) - mean(b)) / Math.sqrt(error(a) + error(b));
}

test("the checker can tell 1 ms of difference in a millisecond of noise", () => {
  const noisy = (base: number) => Array.from({ length: SAMPLES }, (_, i) => base + (i % 11) / 10);
  expect(Math.abs(welch(noisy(50), noisy(51)))).toBeGreaterThan(4.5);
  expect(Math.abs(welch(noisy(50), noisy(50)))).toBeLessThan(4.5);
});

test.each([
  ["off", false],
  ["on, where a new address and one that left are written to", true],
])(
  "the time of an answer does not tell whether an address is new, known or left (A-09): double opt-in %s",
  async (_, doubleOptIn) => {
    await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn });
    const form = await newForm(api);
    await person(api, "known@example.com");
    const times: Record<"fresh" | "known" | "out", number[]> = { fresh: [], known: [], out: [] };
    const measure = async (kind: keyof typeof times, email: string): Promise<void> => {
      const startedAt = performance.now();
      const answer = await api.submit(form.id, { email });
      await answer.text();
      times[kind].push(performance.now() - startedAt);
    };
    for (let i = 0; i < 5; i++) await measure("fresh", `warm-${doubleOptIn}-${i}@example.com`);
    times.fresh = [];
    for (let i = 0; i < SAMPLES; i++) {
      // One address gets one mail a form: each round has another, so that each is written to.
      const out = `out-${doubleOptIn}-${i}@example.com`;
      await person(api, out, { status: "UNSUBSCRIBED" });
      const kinds = [
        ["fresh", `fresh-${doubleOptIn}-${i}@example.com`],
        ["known", "known@example.com"],
        ["out", out],
      ] as const;
      for (let turn = 0; turn < 3; turn++) {
        const [kind, email] = kinds[(turn + i) % 3]!;
        await measure(kind, email);
      }
    }
    expect(Math.abs(welch(times.fresh, times.known))).toBeLessThan(4.5);
    expect(Math.abs(welch(times.fresh, times.out))).toBeLessThan(4.5);
    expect(Math.abs(welch(times.known, times.out))).toBeLessThan(4.5);
  },
);
