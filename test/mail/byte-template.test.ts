import { describe, expect, test } from "bun:test";
import { byteTemplate } from "#mail/mime/byte-template.ts";
import type { Tokens } from "#mail/letter/recipient-tokens.ts";

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
    const { fill } = template();
    expect(fill("To: ada\r\n", ADA).toString("latin1")).toBe(written(ADA, "To: ada\r\n"));
    expect(fill("", GRACE).toString("latin1")).toBe(written(GRACE, ""));
  });

  test("keeps messages that are still read apart", () => {
    const { fill, reuse } = template();
    const [first, second] = [fill("1", ADA), fill("2", GRACE)];
    reuse(first);
    const third = fill("a longer head", GRACE);
    expect(second.toString("latin1")).toBe(written(GRACE, "2"));
    expect(third.toString("latin1")).toBe(written(GRACE, "a longer head"));
    expect(third.buffer).toBe(first.buffer);
  });

  test("leaves nothing of an earlier message in a later one, whichever is longer", () => {
    const { fill, reuse } = template();
    for (const head of ["", "h".repeat(2_000), "h", "h".repeat(5_000), "hh"]) {
      const bytes = fill(head, ADA);
      expect(bytes.toString("latin1")).toBe(written(ADA, head));
      bytes.fill("!");
      reuse(bytes);
    }
  });

  test("takes back only what is of its own size", () => {
    const { fill, reuse } = template();
    reuse(Buffer.from("of somebody else"));
    expect(fill("", ADA).toString("latin1")).toBe(written(ADA, ""));
  });
});
