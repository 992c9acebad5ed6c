const PREFIX = "=?utf-8?";
/** The characters of `=?utf-8?B?` and `?=` together. */
const FRAME_LENGTH = PREFIX.length + 4;
const WORD_MAX = 75;

type Encoding = {
  /** How much a code point adds to a word's payload, in `unit`s. A word holds `capacity(room)` units. */
  readonly cost: (character: string) => number;
  readonly capacity: (room: number) => number;
  readonly write: (text: string) => string;
};

const Q: Encoding = {
  cost: (character) => writeQ(character).length,
  capacity: (room) => room - FRAME_LENGTH,
  write: (text) => `${PREFIX}Q?${writeQ(text)}?=`,
};

const B: Encoding = {
  cost: (character) => Buffer.byteLength(character),
  capacity: (room) => Math.floor((room - FRAME_LENGTH) / 4) * 3,
  write: (text) => `${PREFIX}B?${Buffer.from(text, "utf8").toString("base64")}?=`,
};

/**
 * Encoded words for a header text (RFC 2047): at most 75 characters each, the first at most `firstRoom`, cut
 * between code points, and in Q or B, whichever is shorter. Only letters, digits and `!*+-/` stay readable,
 * so that the words may also be used in a display name.
 */
export function encodedWords(text: string, firstRoom: number): string[] {
  const encoding = Q.cost(text) <= Math.ceil(B.cost(text) / 3) * 4 ? Q : B;
  const words: string[] = [];
  let payload = "";
  let left = encoding.capacity(Math.min(firstRoom, WORD_MAX));
  for (const character of text) {
    const cost = encoding.cost(character);
    if (cost > left && payload !== "") {
      words.push(encoding.write(payload));
      payload = "";
      left = encoding.capacity(WORD_MAX);
    }
    payload += character;
    left -= cost;
  }
  return [...words, encoding.write(payload)];
}

function writeQ(text: string): string {
  let written = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9!*+/-]/.test(character)) written += character;
    else written += byte === 0x20 ? "_" : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return written;
}
