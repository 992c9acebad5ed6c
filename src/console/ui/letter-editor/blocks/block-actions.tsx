import { createContext, useContext } from "react";
import type { BlockKind, Letter } from "../../letter/letter.ts";
import type { Place } from "../../letter/place.ts";

/**
 * What can be done to the letter that is open. It stays the same object while the letter changes, so a block is drawn anew only
 * when it changed itself.
 */
export type BlockActions = {
  readonly isReadOnly: boolean;
  select(id: number | null): void;
  /**
   * Changes the letter as it is now.
   * @param how null where the change may not be made
   * @param about steps about the same become one for undo
   * @returns whether it was made
   */
  edit(how: (letter: Letter) => Letter | null, about?: string): boolean;
  insert(kind: BlockKind, place: Place): void;
  /** Puts a section at the end. */
  addSection(columns: number): void;
  move(id: number, place: Place): void;
  step(id: number, step: -1 | 1): void;
  duplicate(id: number): void;
  remove(id: number): void;
  /** The name of a block for people. */
  nameOf(kind: string): string;
};

const ActionsContext = createContext<BlockActions | null>(null);
const SelectedContext = createContext<number | null>(null);

export const ActionsProvider = ActionsContext.Provider;
export const SelectedProvider = SelectedContext.Provider;

export function useBlockActions(): BlockActions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error("there is no letter open around this block");
  return actions;
}

/** The piece whose fields are open. */
export const useSelected = (): number | null => useContext(SelectedContext);
