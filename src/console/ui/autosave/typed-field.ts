import { deviceMemory, tabMemory } from "../frame/device-memory.ts";
import { asError } from "../parts/as-error.ts";
import type { Kept } from "./autosaver.ts";
import { isBeingLeft } from "./being-left.ts";
import { NOWHERE, onThisDevice, stillOwned } from "./on-this-device.ts";

export type Field<Value> = {
  /** Of the thing and its field, on this device. Who may only look keeps nothing there: null. */
  readonly name: string | null;
  /** A password may stand in it, and the server shows it only in part. */
  readonly isSecret?: boolean;
  readonly stored: Value;
  /** What would be stored for it; null: it is not complete. */
  written(value: Value): string | null;
  /** @returns what is stored then */
  save(value: Value): Promise<Value>;
};

/** What somebody typed that is not known to be stored. */
type Typed<Value> = {
  readonly value: Value;
  /** What was stored when they began. */
  readonly base: string;
  /** What was sent last and may be stored, although no answer came. */
  readonly sent: string | null;
};

type OnDevice<Value> = Kept<{ typed: Typed<Value> }>;

/**
 * A field that is saved when it is left, by whatever way: the page may go with it. Until the server has what
 * was typed, it is kept on this device, with what was stored before. So whoever comes back goes on with it,
 * and it is never written over what somebody else has saved meanwhile without a question. What was refused
 * stays too. Its states:
 *
 *   stored       `type` --> typed
 *   typed        `leave` --> being saved, or stored if that is there already or cannot be stored
 *   typed        somebody else has saved another value --> elsewhere: `leave` saves nothing
 *   being saved  saved --> stored, or typed if more was typed meanwhile
 *   being saved  no answer --> typed
 *   being saved  refused --> typed, and `goAway` does not send it again
 *   elsewhere    `keepMine` --> being saved
 *   typed, elsewhere  `discard` --> stored
 *
 * @param field as it is now, or was last on the screen
 * @param show called after each change
 * @param refused called with the reason why it was not saved
 * @param isPassing whether the same may be saved later
 */
export function typedField<Value>(
  field: () => Field<Value>,
  show: () => void,
  refused: (problem: Error) => void,
  isPassing: (problem: Error) => boolean,
) {
  const basis = (): string => field().written(field().stored) ?? "";
  const textOf = ({ value }: Typed<Value>): string | null => field().written(value);
  const kept = placeOf(field());
  const isOwned = stillOwned();
  const left = leftBefore(kept, field(), basis());
  let typed = left;
  /** What is being saved: the last of it, if there is more. */
  let saving: { readonly text: string } | null = null;
  let refusal: string | null = null;

  const put = (next: Typed<Value> | null): void => {
    typed = next;
    kept.write(next === null ? {} : { typed: next });
    show();
  };
  // Their role may change while they type.
  const mayType = (): boolean => field().name !== null;
  const isElsewhere = (): boolean =>
    typed !== null && mayType() && saving === null && typed.base !== basis() && textOf(typed) !== basis();
  const send = async (now: Typed<Value>, text: string): Promise<void> => {
    const mine = { text };
    saving = mine;
    refusal = null;
    put({ ...now, sent: text });
    const [saved, problem] = await endOf(field().save(now.value));
    const isLast = saving === mine;
    if (isLast) saving = null;
    if (saved !== null && typed !== null)
      put(isLast && textOf(typed) === text ? null : { ...typed, base: field().written(saved.value) ?? "" });
    if (problem === null || !isLast) return;
    if (!isPassing(problem)) refusal = text;
    if (typed !== null) put({ ...typed, sent: null });
    refused(problem);
  };
  const leave = (): void => {
    // What somebody wrote whose session has ended must not be saved by who signs in next.
    if (typed === null || !isOwned() || !mayType()) return;
    const text = textOf(typed);
    if (text === null) return put(null);
    if (text === (saving?.text ?? basis())) return saving === null ? put(null) : undefined;
    if (!isElsewhere()) isBeingLeft(send(typed, text));
  };
  /** What was just refused would only be refused again. */
  const isDue = (): boolean => typed !== null && isOwned() && mayType() && textOf(typed) !== refusal;
  return {
    shown: (): Value => (typed === null || !mayType() ? field().stored : typed.value),
    isElsewhere,
    leave,
    /** Whether there is something to save when the field goes away. */
    isDue,
    /** Whether an earlier visit left something that is still there. */
    isLeft: (): boolean => typed !== null && typed === left,
    type: (value: Value): void => put({ value, base: typed?.base ?? basis(), sent: typed?.sent ?? null }),
    /** The field goes away, and perhaps the page. */
    goAway: (): void => (isDue() ? leave() : undefined),
    /** What is stored stands in the field again. */
    discard: (): void => put(null),
    /** What was typed goes over what somebody else has saved. */
    keepMine(): void {
      if (typed !== null) typed = { ...typed, base: basis() };
      leave();
    },
  };
}

const endOf = <Value>(saving: Promise<Value>) =>
  saving.then(
    (value) => [{ value }, null] as const,
    (reason: unknown) => [null, asError(reason)] as const,
  );

/** A password is kept for this tab only: the device's memory is there for years. */
const placeOf = <Value>({ name, isSecret = false }: Field<Value>): OnDevice<Value> =>
  name === null ? NOWHERE : onThisDevice(name, isSecret ? tabMemory : deviceMemory);

/** What an earlier visit left in the field, unless the server has it by now. */
function leftBefore<Value>(
  kept: OnDevice<Value>,
  { written, isSecret = false }: Field<Value>,
  stored: string,
): Typed<Value> | null {
  const { typed } = kept.read();
  if (typed === undefined) return null;
  const text = written(typed.value);
  // A secret is stored as it was sent, but shown otherwise.
  const isStored = text === stored || (isSecret && typed.sent === text && typed.base !== stored);
  if (text === null || isStored) {
    kept.write({});
    return null;
  }
  return typed.sent === stored ? { ...typed, base: stored } : typed;
}
