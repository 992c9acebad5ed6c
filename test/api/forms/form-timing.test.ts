import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Clock } from "#core/time/clock.ts";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { isDatabaseBusy } from "../../support/server/services.ts";

/** No answer about an address is faster (src/forms/signup/signup-service.ts). */
const ANSWER_MIN_MS = 50;

const hand = manualClock();
let minimaBegun = 0;
const clock: Clock = {
  ...hand,
  setTimer(delayMs, run) {
    if (delayMs === ANSWER_MIN_MS) minimaBegun++;
    return hand.setTimer(delayMs, run);
  },
};

let api: FormsApi;
beforeAll(async () => {
  api = await startForms({}, { clock });
});
afterAll(() => api.stop());

/** Lets everything be done that does not wait for the clock. */
async function settled(): Promise<void> {
  let quietTurns = 0;
  await eventually(() => (quietTurns = !isDatabaseBusy() ? quietTurns + 1 : 0) === 100);
}

test.each([
  ["off", false],
  ["on, where a new address and one that left are written to", true],
])(
  "the time of an answer does not tell whether an address is new, known or left (A-09): double opt-in %s",
  async (_, doubleOptIn) => {
    await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn });
    const form = await newForm(api);
    const [fresh, known, left] = ["fresh", "known", "left"].map((who) => `${who}-${doubleOptIn}@example.com`);
    await person(api, known!);
    await person(api, left!, { status: "UNSUBSCRIBED" });
    for (const email of [fresh!, known!, left!]) {
      const before = minimaBegun;
      let isAnswered = false;
      const answer = api.submit(form.id, { email }).then((response) => {
        isAnswered = true;
        return response.status;
      });
      await eventually(() => minimaBegun > before);
      await settled();
      hand.advance(ANSWER_MIN_MS - 1);
      await settled();
      expect([email, isAnswered]).toEqual([email, false]);
      hand.advance(1);
      // The clock stands still from here on: whoever needed longer would never be answered.
      expect([email, await answer]).toEqual([email, 200]);
    }
  },
);
