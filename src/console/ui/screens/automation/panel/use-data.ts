import { setData } from "../../../flow/edit-flow.ts";
import type { Data, FlowNode } from "../../../flow/flow.ts";
import { useEditor } from "../editor.tsx";

/** A node's data, and a function that writes members of it. Members that the console does not know stay. */
export function useData({ id, data }: FlowNode) {
  const { flow, change, canEdit } = useEditor();
  const write = (members: Data): void => {
    const kept = Object.entries({ ...data, ...members }).filter(([, value]) => value !== undefined);
    change(setData(flow, id, Object.fromEntries(kept)), `${id} ${Object.keys(members).join(" ")}`);
  };
  return { data, write, isDisabled: !canEdit };
}

/** A member of a node's data as text; empty if it is no text. */
export const textOf = (data: Data, member: string): string => {
  const value = data[member];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
};
