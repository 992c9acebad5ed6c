import { readTree, type Node } from "./source-tree.ts";

/** Every element that may stand around a block: a closing tag of any of them inside it would end it too early. */
const AROUND = [
  "mjml",
  "mj-body",
  "mj-wrapper",
  "mj-hero",
  "mj-section",
  "mj-group",
  "mj-column",
  "mj-social",
];

/** Whether this content, put between the tags of such an element, stays between them. */
export function isContained(name: string, content: string): boolean {
  const names = [...AROUND, name];
  const open = names.map((one) => `<${one}>`).join("");
  const close = names.toReversed().map((one) => `</${one}>`);
  let level: readonly Node[] | null = readTree(open + content + close.join(""));
  for (const expected of names) {
    const only: Node | undefined = level?.[0];
    if (level?.length !== 1 || only?.kind !== "element" || only.name !== expected) return false;
    if (expected === name)
      return only.openEnd === open.length && only.closeStart === open.length + content.length;
    level = only.children;
  }
  return false;
}
