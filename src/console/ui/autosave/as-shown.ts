import type { Autosaver } from "./autosaver.ts";
import { namesOf, pick, type IsSame } from "./fields.ts";
import type { knownServer } from "./known-server.ts";

type Parts<T extends object> = {
  readonly saver: Pick<Autosaver<T>, "unsaved" | "isHeld" | "status">;
  readonly server: Pick<ReturnType<typeof knownServer<T>>, "get" | "know">;
  load(): Promise<T>;
  /** Saves what saves itself, or everything. */
  save(): Promise<unknown>;
  /** Whether `save` is to save what is held too. */
  readonly isAll: boolean;
  readonly same: IsSame;
  /** Says that more was typed while it was being saved. */
  readonly typedOn: string;
};

/**
 * For what cannot be undone: saves, and looks whether the server has what is shown here, apart from what stays held.
 * If somebody else has saved something since, that is shown from now on.
 * @throws the reason if something is not saved
 */
export async function isAsShown<T extends object>(parts: Parts<T>): Promise<boolean> {
  const { saver, server, load, save, isAll, same, typedOn } = parts;
  const shown = server.get();
  const mine = namesOf(saver.unsaved());
  const held = isAll ? [] : mine.filter(saver.isHeld);
  await save();
  const left = namesOf(saver.unsaved());
  if (left.some((field) => !held.includes(field) || !saver.isHeld(field)))
    throw saver.status().error ?? new Error(typedOn);
  // What was typed here is shown as it was saved. The look before that save may have brought others' changes too.
  const saved = mine.filter((field) => !left.includes(field));
  const expected = { ...shown, ...pick<Partial<T>>(server.get() ?? {}, saved) };
  const loaded = await load();
  server.know(loaded);
  return namesOf(loaded).every((field) => field === "updatedAt" || same(expected[field], loaded[field]));
}
