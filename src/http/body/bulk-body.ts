/**
 * A body that holds many things, such as `{ "contacts": [ … ] }`. It may be four times as long as other
 * bodies. Its items are cut out of the text and read one by one: so no turn of the event loop is long, and
 * the memory of one item is free before the next is read.
 */
import type { TObject } from "@sinclair/typebox";
import { accept, AppError, invalid, refuse, unwrap, type Result } from "#core/errors/errors.ts";
import { inTurns, nextLoopTurn } from "#core/time/event-loop.ts";
import { refuseForeign, type ForeignNames } from "#http/foreign-names.ts";
import { isObject, notUtf8, parseJson, readInTurns, type DamagedCode, type JsonObject } from "./json-body.ts";
import { cutItems } from "./json-items.ts";
import { checkJsonWeight } from "./json-weight.ts";
import { withDigits } from "./long-digits.ts";
import { BODY_BYTES_MAX, type RequestBody } from "./request-body.ts";
import { bodyInShape } from "#http/shape.ts";

/** The limit of the whole body (docs/contract.md "Many at once"). */
const BULK_BYTES_MAX = 16 * 1024 * 1024;
const ITEMS_MAX = 1_000;

/** What the items of a bulk body are. */
export type ItemsOf<Item extends TObject = TObject> = {
  /** The member of the body that holds them. */
  readonly field: string;
  /** What each has to be: the body of the route for one. */
  readonly body: Item;
  readonly foreign?: ForeignNames;
};

/** A body whose items are not read yet. */
export type BulkBody = {
  /** The other members. */
  readonly rest: JsonObject;
  /** Each item's JSON; null if the member is no list, or missing. */
  readonly texts: readonly string[] | null;
};

/**
 * Null: not readable.
 * @param damaged the code for JSON that is not UTF-8
 * @throws AppError PAYLOAD_TOO_LARGE if what stands beside the items is larger than a whole other body; and as
 * `RequestBody.text` and `readStrictJson`
 */
export async function readBulkJson(
  body: RequestBody,
  field: string,
  damaged: DamagedCode,
): Promise<BulkBody | null> {
  const { text, isUtf8 } = await body.text(BULK_BYTES_MAX);
  const { skeleton, items, isTwice } = unwrap(await inTurns(cutItems(text, field, ITEMS_MAX)));
  if (skeleton.length > BODY_BYTES_MAX)
    throw new AppError("PAYLOAD_TOO_LARGE", `What stands beside \`${field}\` is larger than 4 MiB.`);
  const rest = await readInTurns(skeleton);
  if (rest === undefined) return null;
  if (!isUtf8) throw notUtf8(damaged);
  if (isTwice) throw new AppError("VALIDATION_ERROR", `\`${field}\` is there twice. Send it once.`);
  if (!isObject(rest)) return { rest: {}, texts: null };
  const { [field]: list, ...others } = rest;
  return { rest: others, texts: Array.isArray(list) ? items : null };
}

/** After reading this much text, other work runs. */
const TURN_CHARACTERS = 256 * 1024;

/**
 * Each item in its documented shape, or why it cannot be one.
 * @param unreadable what to throw if an item is not valid JSON: then the whole body is not
 * @param digitsOf see `Route`
 * @throws AppError VALIDATION_ERROR if there are none, or too many
 */
export async function* readItems(
  { field, body, foreign = {} }: ItemsOf,
  texts: readonly string[] | null,
  unreadable: () => AppError,
  digitsOf: string | undefined,
): AsyncGenerator<Result<unknown>> {
  if (texts === null || texts.length === 0)
    throw new AppError("VALIDATION_ERROR", `\`${field}\` must be a list of 1 to ${ITEMS_MAX} objects.`);
  let characters = 0;
  for (const text of texts) {
    characters += text.length;
    if (characters > TURN_CHARACTERS) {
      characters = 0;
      await nextLoopTurn();
    }
    const value = readItem(text, digitsOf);
    if (value.ok && value.value === undefined) throw unreadable();
    yield value.ok ? shaped(body, foreign, value.value) : value;
  }
}

function readItem(text: string, digitsOf: string | undefined): Result<unknown> {
  if (text.length > BODY_BYTES_MAX) return refuse("PAYLOAD_TOO_LARGE", "This one is larger than 4 MiB.");
  const weighed = checkJsonWeight(text);
  return weighed.ok ? accept(withDigits(parseJson(text), text, digitsOf)) : weighed;
}

function shaped(body: TObject, foreign: ForeignNames, value: unknown): Result<unknown> {
  if (!isObject(value)) return invalid("This one is no JSON object.");
  try {
    refuseForeign(body.properties, foreign, value);
    return accept(bodyInShape(body, value));
  } catch (error) {
    if (error instanceof AppError) return refuse(error.code, error.message);
    throw error;
  }
}
