import { AppError, unwrap } from "#core/errors/errors.ts";
import { inTurns, nextLoopTurn } from "#core/time/event-loop.ts";
import { parseJson } from "./json-body.ts";
import { cutItems } from "./json-items.ts";
import { checkJsonWeight } from "./json-weight.ts";

/** No list that we read from other services has more items. */
const ITEMS_MAX = 10_000;
/** After reading this much text, other work runs. */
const TURN_CHARACTERS = 128 * 1024;

/**
 * JSON of any kind, such as other services send. The items of a list are read one by one, so that no turn of
 * the event loop is long.
 * @throws AppError INVALID_JSON if it is not valid JSON; VALIDATION_ERROR if it, or one item of the list, would
 * take too long to read (`json-weight.ts`)
 */
export async function readAnyJson(bytes: Uint8Array): Promise<unknown> {
  const text = new TextDecoder().decode(bytes).trim();
  return text.startsWith("[") ? await readList(text) : valueOf(text);
}

async function readList(text: string): Promise<unknown[]> {
  const cut = await inTurns(cutItems(`{"list":${text}}`, "list", ITEMS_MAX));
  const { skeleton, items, isTwice } = unwrap(cut);
  // Apart from the items there must be that list and nothing else.
  if (isTwice || skeleton.replaceAll(/\s/g, "") !== '{"list":[]}') throw unreadable();
  const values: unknown[] = [];
  let characters = 0;
  for (const item of items) {
    values.push(valueOf(item));
    characters += item.length;
    if (characters < TURN_CHARACTERS) continue;
    characters = 0;
    await nextLoopTurn();
  }
  return values;
}

function valueOf(text: string): unknown {
  const value = parseJson(unwrap(checkJsonWeight(text)));
  if (value === undefined) throw unreadable();
  return value;
}

const unreadable = (): AppError => new AppError("INVALID_JSON", "The body is not valid JSON.");
