import type { NodeFigures } from "../../../api/api.gen.ts";
import type { Wording } from "../../../flow/node-words.ts";
import { useEditor } from "../editor.tsx";

/** The figures of a node in words: those that are not zero. */
export function figureWords(figures: NodeFigures, { texts, quantity }: Wording): string[] {
  const names = ["waiting", "sent", "opened", "clicked", "failed"] as const;
  return names
    .filter((name) => figures[name] > 0)
    .map((name) => texts.figures[name](quantity(figures[name])));
}

/** Small numbers under a node: how many people are there now, and the outcomes of its mail. */
export function NodeFigureLine({ id }: { readonly id: string }) {
  const { figures, wording } = useEditor();
  const found = figures.get(id);
  if (found === undefined) return null;
  const words = figureWords(found, wording);
  if (words.length === 0) return null;
  return <span className="automation-node-figures">{words.join(" · ")}</span>;
}
