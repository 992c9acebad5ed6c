import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the console's own colours; they are variables, so light and dark need no second theme (`letter-editor.css`). */
const look = EditorView.theme({
  "&": {
    backgroundColor: "var(--mantine-color-body)",
    color: "var(--mantine-color-text)",
    fontSize: "0.8125rem",
  },
  "&.cm-focused": { outline: "2px solid var(--mantine-color-teal-filled)", outlineOffset: "1px" },
  ".cm-content": {
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    caretColor: "var(--mantine-color-text)",
    padding: "8px 0",
  },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    backgroundColor: "var(--ground)",
    color: "var(--mantine-color-dimmed)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--code-selection)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--mantine-color-body)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--mantine-color-teal-filled)",
    color: "var(--mantine-color-white)",
  },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "var(--mantine-color-text)" },
});

const words = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--code-tag)" },
  { tag: tags.attributeName, color: "var(--code-attribute)" },
  { tag: [tags.attributeValue, tags.string], color: "var(--code-string)" },
  { tag: [tags.keyword, tags.operator, tags.brace, tags.processingInstruction], color: "var(--code-liquid)" },
  { tag: [tags.variableName, tags.propertyName, tags.number, tags.bool], color: "var(--code-name)" },
  { tag: [tags.comment, tags.documentMeta], color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
]);

export const sourceTheme: Extension = [look, syntaxHighlighting(words)];
