import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isEscaped } from "./json-weight.ts";

const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Some milliseconds' work. */
const PIECE_CHARACTERS = 1024 * 1024;

/** A JSON object without the items of one list, and those items. */
export type CutItems = {
  /** The text, with `[]` for the list. */
  readonly skeleton: string;
  /** The text of each item. Empty if there is no such list. */
  readonly items: readonly string[];
  /** Whether there were two such lists: the items are those of both. */
  readonly isTwice: boolean;
};

/**
 * Cuts the items of a list out of the text of a JSON object: of `{"contacts":[A,B],"x":1}` A and B, leaving
 * `{"contacts":[],"x":1}`. Nothing is checked here and nothing may be trusted yet: the text is valid JSON if
 * and only if the skeleton and every item are. Yields after each piece of work; refuses more than `itemsMax`.
 */
export function* cutItems(
  text: string,
  field: string,
  itemsMax: number,
): Generator<void, Result<CutItems>, void> {
  const cut = new Cut(text, field);
  let pauseAt = PIECE_CHARACTERS;
  const isPauseDue = (at: number): boolean => {
    if (at < pauseAt) return false;
    pauseAt = at + PIECE_CHARACTERS;
    return true;
  };
  for (let at = 0; at < text.length; at++) {
    if (isPauseDue(at)) yield;
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      // Here and not in a function of its own: to yield out of one for each string takes three times as long.
      let end = text.indexOf('"', at + 1);
      for (; end !== -1 && isEscaped(text, end); end = text.indexOf('"', end + 1)) if (isPauseDue(end)) yield;
      if (end === -1) end = text.length;
      cut.string(at, end);
      at = end;
    } else if (character === OPEN_ARRAY || character === OPEN_OBJECT) cut.opens(character, at);
    else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) cut.closes(at);
    else if (character === COMMA) cut.comma(at);
    if (cut.items.length > itemsMax)
      return invalid(`\`${field}\` has more than ${itemsMax} entries. Send less at once.`);
  }
  return accept(cut.result());
}

/** What was cut so far. It is told of every string, bracket and comma in the text, in their order. */
class Cut {
  readonly items: string[] = [];
  #skeleton = "";
  /** The text before this place is in the skeleton, or is an item. */
  #cutTo = 0;
  #depth = 0;
  /** The bracket that began the text. */
  #outermost = 0;
  /** The last string that ended on the top level: in front of a list it is the list's name. */
  #name = "";
  /** Where the list begins, and its current item; null outside such a list. */
  #list: { readonly from: number; itemFrom: number } | null = null;
  #lists = 0;

  constructor(
    private readonly text: string,
    private readonly field: string,
  ) {}

  string(start: number, end: number): void {
    if (this.#depth === 1) this.#name = this.text.slice(start, end + 1);
  }

  opens(bracket: number, at: number): void {
    if (this.#depth === 0) this.#outermost = bracket;
    this.#depth++;
    const isMember = this.#depth === 2 && this.#outermost === OPEN_OBJECT;
    if (isMember && bracket === OPEN_ARRAY && isName(this.#name, this.field)) this.#beginList(at + 1);
  }

  comma(at: number): void {
    if (this.#list === null || this.#depth !== 2) return;
    this.items.push(this.text.slice(this.#list.itemFrom, at));
    this.#list.itemFrom = at + 1;
  }

  closes(at: number): void {
    if (this.#list !== null && this.#depth === 2) this.#endList(this.#list, at);
    this.#depth--;
  }

  result(): CutItems {
    const skeleton = this.#skeleton + this.text.slice(this.#cutTo);
    return { skeleton, items: this.items, isTwice: this.#lists > 1 };
  }

  #beginList(from: number): void {
    this.#lists++;
    this.#list = { from, itemFrom: from };
    this.#skeleton += this.text.slice(this.#cutTo, from);
    this.#cutTo = from;
  }

  /** The last item, unless there is none: `[ ]`. */
  #endList({ from, itemFrom }: { readonly from: number; readonly itemFrom: number }, at: number): void {
    const last = this.text.slice(itemFrom, at);
    if (itemFrom !== from || last.trim() !== "") this.items.push(last);
    this.#cutTo = at;
    this.#list = null;
  }
}

/** Whether a string of JSON, quotes included, is this name. */
function isName(json: string, name: string): boolean {
  if (json === `"${name}"`) return true;
  // In JSON a character takes six at most. A longer text is not read: it may stand before very many lists.
  if (json.length > 6 * name.length + 2 || !json.includes("\\")) return false;
  try {
    return JSON.parse(json) === name;
  } catch {
    return false;
  }
}
