import { createContext, useContext } from "react";
import type { BlockKind, Letter } from "../../letter/letter.ts";
import type { Place } from "../../letter/place.ts";

/** What can be done to the letter that is open. */
export type BlockActions = {
  readonly letter: Letter;
  readonly isReadOnly: boolean;
  readonly selected: number | null;
  select(id: number | null): void;
  /** @param about steps about the same become one for undo */
  change(next: Letter | null, about?: string): void;
  insert(kind: BlockKind, place: Place): void;
  insertSection(columns: number, index: number): void;
  move(id: number, place: Place): void;
  step(id: number, step: -1 | 1): void;
  duplicate(id: number): void;
  remove(id: number): void;
  /** The name of a block for people. */
  nameOf(kind: string): string;
};

const ActionsContext = createContext<BlockActions | null>(null);

export const ActionsProvider = ActionsContext.Provider;

export function useBlockActions(): BlockActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("there is no letter open around this block");
  return actions;
}
