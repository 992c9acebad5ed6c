import { present } from "#core/present.ts";
import { createHash } from "node:crypto";

/** What differs between two recipients inside a body. While the body is encoded, stand-ins replace these tokens. */
export type Tokens = { readonly open: string; readonly click: string; readonly unsubscribe: string };
export type TokenName = keyof Tokens;

/**
 * Static encoded text, or a place for a recipient's tokens. Plain data: one thread makes the pieces, another
 * fills them in.
 */
export type Piece = string | TokenPlace | TokenRows;

/** A token in quoted-printable. `breakAt`: the position of a soft line break in it, or -1. */
export type TokenPlace = { readonly name: TokenName; readonly breakAt: number };

/** Bytes that are not yet encoded in base64, and the places in them for tokens. */
export type TokenRows = {
  readonly rows: Uint8Array;
  readonly places: readonly { readonly name: TokenName; readonly at: number }[];
};

/**
 * Tokens and their stand-ins have the same length, so the length of a line does not depend on the recipient.
 */
export const TOKEN_LENGTH = 22;
export const TOKEN_NAMES = ["open", "click", "unsubscribe"] as const satisfies readonly TokenName[];

export const SOFT_BREAK = "=\r\n";

/**
 * Stand-ins that do not occur in `text`. The same text always gets the same stand-ins. Their characters stay
 * unchanged in every encoding.
 */
export function standInsFor(text: string): Tokens {
  const make = (name: TokenName): string => {
    for (let round = 0; ; round++) {
      const digest = createHash("sha256").update(`${name} ${round} ${text}`).digest("base64url");
      const standIn = `x${digest.replace(/[-_]/g, "0")}`.slice(0, TOKEN_LENGTH);
      if (!text.includes(standIn)) return standIn;
    }
  };
  return { open: make("open"), click: make("click"), unsubscribe: make("unsubscribe") };
}

/** Cuts quoted-printable text at its stand-ins, even if a soft line break is inside one. */
export function splitAtStandIns(encoded: string, standIns: Tokens): Piece[] {
  const pattern = TOKEN_NAMES.map((name) => `(${[...standIns[name]].join(`(?:${SOFT_BREAK})?`)})`).join("|");
  const pieces: Piece[] = [];
  let copied = 0;
  for (const match of encoded.matchAll(new RegExp(pattern, "g"))) {
    const found = TOKEN_NAMES.find((_, index) => match[index + 1] !== undefined);
    const name = present(found, "token in a match");
    pieces.push(encoded.slice(copied, match.index), { name, breakAt: match[0].indexOf(SOFT_BREAK) });
    copied = match.index + match[0].length;
  }
  pieces.push(encoded.slice(copied));
  return pieces;
}

/** The text at a place, for one recipient's tokens. */
export function textAtPlace({ name, breakAt }: TokenPlace, tokens: Tokens): string {
  if (breakAt === -1) return tokens[name];
  return tokens[name].slice(0, breakAt) + SOFT_BREAK + tokens[name].slice(breakAt);
}
