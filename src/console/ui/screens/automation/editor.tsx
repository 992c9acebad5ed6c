import { createContext, useContext } from "react";
import type { NodeFigures, Problem, Simulation } from "../../api/api.gen.ts";
import type { Choice } from "../../audience/choices.ts";
import type { Flow } from "../../flow/flow.ts";
import type { Wording } from "../../flow/node-words.ts";

/** What every part of the editor can see and do. */
export type Editor = {
  readonly automationId: string;
  readonly flow: Flow;
  /** Adds a step to the history. Typing in one field (the same `about`) is one step together. */
  change(next: Flow, about?: string | null): void;
  readonly canEdit: boolean;
  /** The id of the chosen node; empty: none. */
  readonly chosen: string;
  choose(id: string): void;
  readonly wording: Wording;
  /** The time zone of the workspace, in which its automations wait and are simulated. */
  readonly zone: string;
  readonly lists: readonly Choice[];
  readonly problems: readonly Problem[];
  /** By node; empty while it is a draft. */
  readonly figures: ReadonlyMap<string, NodeFigures>;
  /** The path to highlight; null while nothing is simulated. */
  readonly simulated: Simulation | null;
};

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error("this part is shown without an editor");
  return editor;
}

/** How a step is marked: that something is wrong with it, and whether a simulated path leads over it. */
export function useMarks(id: string) {
  const { problems, simulated } = useEditor();
  const isOnPath = simulated?.steps.some(({ nodeId }) => nodeId === id) === true;
  return {
    hasProblem: problems.some(({ nodeId }) => nodeId === id),
    path: simulated === null ? undefined : isOnPath ? "on" : "off",
  };
}
