import { createContext, useContext } from "react";
import type { BlockKind, Letter } from "../../letter/letter.ts";
import type { Place } from "../../letter/place.ts";

/**
 * What can be done to the open letter. It stays the same object while the letter changes, so that only blocks that
 * changed are drawn again.
 */
export type BlockActions = {
  readonly isReadOnly: boolean;
  select(id: number | null): void;
  /** Chooses a piece, and brings it into sight. */
  show(id: number): void;
  /**
   * Changes the letter in its present state.
   * @param how returns null if the change is not allowed
   * @param about steps with the same value are undone together
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
