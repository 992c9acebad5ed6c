import { describe, expect, test } from "bun:test";
import { byteTemplate } from "#mail/mime/byte-template.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import type { Tokens } from "#mail/letter/slots/recipient-tokens.ts";

const tokens = (letter: string): Tokens => ({
  open: letter.repeat(32),
  click: letter.toUpperCase().repeat(32),
  unsubscribe: `${letter}1`.repeat(16),
});
const [SPECIMEN, ADA, GRACE] = [tokens("x"), tokens("a"), tokens("g")];
const template = () =>
  byteTemplate(["<", { name: "open", breakAt: -1 }, "|", { name: "click", breakAt: 8 }, "> end"], SPECIMEN);
const written = ({ open, click }: Tokens, head: string): string =>
  `${head}<${open}|${click.slice(0, 8)}=\r\n${click.slice(8)}> end`;

describe("a byte template", () => {
  test("writes the head, the static text and each recipient's tokens", () => {
    const fill = template();
    expect(asciiText(fill("To: ada\r\n", ADA).bytes)).toBe(written(ADA, "To: ada\r\n"));
    expect(asciiText(fill("", GRACE).bytes)).toBe(written(GRACE, ""));
  });

  test("keeps messages that are still read apart", () => {
    const fill = template();
    const [first, second] = [fill("1", ADA), fill("2", GRACE)];
    first.release?.();
    const third = fill("a longer head", GRACE);
    expect(asciiText(second.bytes)).toBe(written(GRACE, "2"));
    expect(asciiText(third.bytes)).toBe(written(GRACE, "a longer head"));
    expect((third.bytes as Buffer).buffer).toBe((first.bytes as Buffer).buffer);
  });

  test("leaves nothing of an earlier message in a later one, whichever is longer", () => {
    const fill = template();
    for (const head of ["", "h".repeat(2_000), "h", "h".repeat(5_000), "hh"]) {
      const { bytes, release } = fill(head, ADA);
      expect(asciiText(bytes)).toBe(written(ADA, head));
      (bytes as Buffer).fill("!");
      release?.();
    }
  });

  test("gives the memory of a message that is released twice to one later message only", () => {
    const fill = template();
    const first = fill("", ADA);
    first.release?.();
    first.release?.();
    const [second, third] = [fill("2", ADA), fill("3", GRACE)];
    expect(asciiText(second.bytes)).toBe(written(ADA, "2"));
    expect(asciiText(third.bytes)).toBe(written(GRACE, "3"));
  });
});
