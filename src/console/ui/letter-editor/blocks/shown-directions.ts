import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { Extension } from "@tiptap/react";
import { isFromRight } from "../../letter/rich-direction.ts";

/** Shows in the editor in which direction each block will be read. The letter gets the same when it is written. */
export const ShownDirections = Extension.create({
  name: "shownDirections",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations({ doc }) {
          const marks: Decoration[] = [];
          doc.descendants((node, at) => {
            if (node.isBlock && isFromRight(node.textContent))
              marks.push(Decoration.node(at, at + node.nodeSize, { dir: "rtl" }));
          });
          return DecorationSet.create(doc, marks);
        },
      },
    }),
  ],
});
