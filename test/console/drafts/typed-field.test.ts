/** What a field that is saved when it is left does, without a browser. */
import { afterEach, describe, expect, test } from "bun:test";
import { keptFor } from "../../../src/console/ui/autosave/on-this-device.ts";
import { typedField } from "../../../src/console/ui/autosave/typed-field.ts";

const ADA = { person: "ada", workspace: "letters" };

/** A field whose server answers as told; it has all that was sent. */
function fieldThat(answer: (value: string) => Promise<string>) {
  const sent: string[] = [];
  const field = {
    name: "thing",
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
  );
  return { typed, sent };
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
});
