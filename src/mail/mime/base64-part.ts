import {
  textAtPlace,
  TOKEN_LENGTH,
  TOKEN_NAMES,
  type Piece,
  type TokenName,
  type TokenRows,
  type Tokens,
} from "#mail/letter/slots/recipient-tokens.ts";

/** 57 bytes are one line of 76 characters (RFC 2045, 6.8), so each line can be encoded on its own. */
const ROW_BYTES = 57;
const ROW_CHARACTERS = 76;
const LINE = /.{1,76}/g;

type Place = { readonly name: TokenName; readonly at: number };
type Run = { readonly first: Place; last: Place; readonly places: Place[] };

/**
 * Base64 of a text in UTF-8, with CRLF as line end in the text and between the lines. Only the lines that contain a
 * part of a stand-in are encoded for each recipient.
 */
export function base64Pieces(text: string, standIns: Tokens): Piece[] {
  const bytes = textBytes(text);
  const pieces: Piece[] = [];
  let copied = 0;
  for (const run of runsOf(placesOf(bytes, standIns))) {
    const start = rowStart(run.first.at);
    const end = Math.min(rowStart(run.last.at + TOKEN_LENGTH - 1) + ROW_BYTES, bytes.length);
    pieces.push(base64Lines(bytes.subarray(copied, start)), {
      rows: bytes.slice(start, end),
      places: run.places.map(({ name, at }) => ({ name, at: at - start })),
    });
    copied = end;
  }
  pieces.push(base64Lines(bytes.subarray(copied)));
  return pieces;
}

/** The bytes of a text as it is sent: UTF-8, line ends CRLF. */
export const textBytes = (text: string): Buffer => Buffer.from(text.replace(/\r?\n/g, "\r\n"), "utf8");

function placesOf(bytes: Buffer, standIns: Tokens): Place[] {
  const places: Place[] = [];
  for (const name of TOKEN_NAMES) {
    const standIn = standIns[name];
    for (let at = bytes.indexOf(standIn); at !== -1; at = bytes.indexOf(standIn, at + TOKEN_LENGTH)) {
      places.push({ name, at });
    }
  }
  return places.toSorted((a, b) => a.at - b.at);
}

/** Groups places that share a row, so that no row belongs to two groups. */
function runsOf(places: readonly Place[]): Run[] {
  const runs: Run[] = [];
  for (const place of places) {
    const run = runs.at(-1);
    if (run !== undefined && rowStart(place.at) <= rowStart(run.last.at + TOKEN_LENGTH - 1)) {
      run.places.push(place);
      run.last = place;
    } else runs.push({ first: place, last: place, places: [place] });
  }
  return runs;
}

/** The text of a piece for a recipient with these tokens. */
export function pieceText(piece: Piece, tokens: Tokens): string {
  if (typeof piece === "string") return piece;
  return "rows" in piece ? filledRows(piece, tokens) : textAtPlace(piece, tokens);
}

/** Each message overwrites the tokens of the one before: copying so few bytes costs more than encoding them. */
function filledRows({ rows, places }: TokenRows, tokens: Tokens): string {
  for (const { name, at } of places) {
    const token = tokens[name];
    for (let index = 0; index < TOKEN_LENGTH; index++) rows[at + index] = token.charCodeAt(index);
  }
  const text = rows.toBase64();
  let lines = "";
  for (let start = 0; start < text.length; start += ROW_CHARACTERS)
    lines += `${text.slice(start, start + ROW_CHARACTERS)}\r\n`;
  return lines;
}

function rowStart(at: number): number {
  return at - (at % ROW_BYTES);
}

/** Base64 in lines of 76 characters, each ended by CRLF. */
export function base64Lines(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("base64")
    .replace(LINE, "$&\r\n");
}
