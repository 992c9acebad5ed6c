import { describe, expect, test } from "bun:test";
import { base64Pieces, pieceText } from "#mail/mime/base64-part.ts";
import { encodeQuotedPrintable } from "#mail/mime/quoted-printable.ts";
import {
  splitAtStandIns,
  standInsFor,
  TOKEN_LENGTH,
  type Piece,
} from "#mail/letter/slots/recipient-tokens.ts";
import { grace } from "../../support/sending/marketing-fixture.ts";

const { tokens } = grace();
const standIns = standInsFor("");

/** Two tokens after every lead and at every distance that a line of either encoding can tell apart. */
const TEXTS = Array.from({ length: 78 }, (_, lead) =>
  Array.from(
    { length: 60 },
    (__, gap) => (click: string, open: string) =>
      `${"x".repeat(lead)}${click}${"y".repeat(gap)}${open}é\n${click}`,
  ),
).flat();

describe("Filling in tokens gives what encoding the filled-in text would", () => {
  test("quoted-printable", () => {
    for (const text of TEXTS) {
      const pieces = splitAtStandIns(encodeQuotedPrintable(text(standIns.click, standIns.open)), standIns);
      expect(fill(pieces)).toBe(encodeQuotedPrintable(text(tokens.click, tokens.open)));
    }
  });

  test("base64", () => {
    for (const text of TEXTS) {
      const encoded = fill(base64Pieces(text(standIns.click, standIns.open), standIns));
      const whole = Buffer.from(text(tokens.click, tokens.open).replace("\n", "\r\n")).toString("base64");
      expect(encoded).toBe(whole.replace(/.{1,76}/g, "$&\r\n"));
    }
  });
});

test("A stand-in has a token's length, differs from the others and does not occur in the text", () => {
  const all = Object.values(standInsFor("Hello"));
  expect(new Set(all).size).toBe(3);
  for (const standIn of all) expect(standIn).toMatch(new RegExp(`^[A-Za-z0-9]{${TOKEN_LENGTH}}$`));
  expect(standInsFor("Hello")).toEqual(standInsFor("Hello"));
  for (const standIn of Object.values(standInsFor(all.join()))) expect(all).not.toContain(standIn);
});

function fill(pieces: readonly Piece[]): string {
  return pieces.map((piece) => pieceText(piece, tokens)).join("");
}
