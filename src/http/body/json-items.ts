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
  const items: string[] = [];
  let skeleton = "";
  let kept = 0;
  let depth = 0;
  /** The last string that ended on the top level: in front of a list it is the list's name. */
  let name = "";
  /** Where the current item begins; -1 outside the list. */
  let from = -1;
  let listFrom = -1;
  let pauseAt = PIECE_CHARACTERS;
  let lists = 0;
  let top = 0;
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + PIECE_CHARACTERS;
      yield;
    }
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      let end = text.indexOf('"', at + 1);
      for (; end !== -1 && isEscaped(text, end); end = text.indexOf('"', end + 1)) {
        if (end < pauseAt) continue;
        pauseAt = end + PIECE_CHARACTERS;
        yield;
      }
      if (end === -1) end = text.length;
      if (depth === 1) name = text.slice(at, end + 1);
      at = end;
    } else if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
      if (depth++ === 0) top = character;
      if (depth !== 2 || top !== OPEN_OBJECT || character !== OPEN_ARRAY || !isName(name, field)) continue;
      lists++;
      from = listFrom = at + 1;
      skeleton += text.slice(kept, from);
      kept = from;
    } else if (character === CLOSE_ARRAY || character === CLOSE_OBJECT) {
      if (from !== -1 && depth === 2) {
        const last = text.slice(from, at);
        if (from !== listFrom || last.trim() !== "") items.push(last);
        [kept, from] = [at, -1];
      }
      depth--;
    } else if (character === COMMA && from !== -1 && depth === 2) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
    if (items.length > itemsMax)
      return invalid(`\`${field}\` has more than ${itemsMax} entries. Send less at once.`);
  }
  return accept({ skeleton: skeleton + text.slice(kept), items, isTwice: lists > 1 });
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
