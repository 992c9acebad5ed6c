/** What a field that is saved when it is left does, without a browser. */
import { afterEach, describe, expect, test } from "bun:test";
import { keptFor } from "../../../src/console/ui/autosave/on-this-device.ts";
import { typedField } from "../../../src/console/ui/autosave/typed-field.ts";

const AWAY = new Error("No answer arrived.");
const ADA = { person: "ada", workspace: "letters" };

/** A field whose server answers as told; it has all that was sent. */
function fieldThat(answer: (value: string) => Promise<string>) {
  const sent: string[] = [];
  const field = {
    name: "thing" as string | null,
    stored: "",
    written: (value: string) => value,
    save(value: string): Promise<string> {
      sent.push(value);
      return answer(value);
    },
  };
  const typed = typedField<string>(
    () => field,
    () => {},
    () => {},
    (problem) => problem === AWAY,
  );
  return { typed, sent, field };
}

describe("a field that goes away", () => {
  afterEach(() => keptFor(null));

  test("saves nothing once its person is not signed in any more", () => {
    keptFor(ADA);
    const { typed, sent } = fieldThat(async (value) => value);
    typed.type("Ada's");
    keptFor(null);
    typed.goAway();
    expect(sent).toEqual([]);
    keptFor(ADA);
    typed.goAway();
    expect(sent).toEqual(["Ada's"]);
  });

  test("tries again what did not arrive, but not what was refused", async () => {
    const away = fieldThat(() => Promise.reject(AWAY));
    away.typed.type("x");
    away.typed.leave();
    await Bun.sleep(0);
    away.typed.goAway();
    expect(away.sent).toEqual(["x", "x"]);

    const refused = fieldThat(() => Promise.reject(new Error("That is no address.")));
    refused.typed.type("x");
    refused.typed.leave();
    await Bun.sleep(0);
    refused.typed.goAway();
    expect(refused.sent).toEqual(["x"]);
  });

  test("saves what was refused before and is typed again later", async () => {
    let isRefused = true;
    const { typed, sent } = fieldThat(async (value) => {
      if (isRefused) throw new Error("Somebody else has it.");
      return value;
    });
    typed.type("x");
    typed.leave();
    await Bun.sleep(0);
    isRefused = false;
    typed.leave();
    await Bun.sleep(0);
    typed.type("x");
    typed.goAway();
    expect(sent).toEqual(["x", "x", "x"]);
  });

  test("saves nothing of somebody who may only look by now, and shows what is stored", () => {
    const { typed, sent, field } = fieldThat(async (value) => value);
    typed.type("x");
    field.name = null;
    typed.goAway();
    expect([sent, typed.shown(), typed.isElsewhere()]).toEqual([[], "", false]);
    field.name = "thing";
    expect(typed.shown()).toBe("x");
  });
});
