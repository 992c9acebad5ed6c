import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import { EditorView, basicSetup } from "codemirror";
import { useEffect, useRef } from "react";
import type { LetterProblem } from "../../api/api.gen.ts";
import { nonce } from "../../frame/page-facts.ts";
import type { SourcePlace } from "../../letter/piece-at.ts";
import { useTexts } from "../../texts/texts.tsx";
import { sourceLanguage } from "./source-language.ts";
import { sourceTheme } from "./source-theme.ts";

type Props = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly format: "html" | "mjml";
  readonly label: string;
  readonly problems: readonly LetterProblem[];
  readonly attributes: readonly string[];
  /** A place in the source to jump to. A new object jumps again. */
  readonly place: SourcePlace | null;
  readonly isReadOnly: boolean;
  /** Receives a function that inserts text at the cursor. */
  readonly onReady: (insert: (text: string) => void) => void;
};

/** The source with line numbers, completion and marks at what is wrong. The tab key leaves the field. */
export default function SourceField(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useEditor(host, props);
  const { fromServer } = useTexts();
  useEffect(() => {
    const current = view.current?.state.doc.toString();
    if (view.current && current !== asShown(props.value))
      view.current.dispatch({ changes: { from: 0, to: current?.length ?? 0, insert: props.value } });
  }, [props.value, view]);
  useEffect(() => {
    const { current } = view;
    if (current)
      current.dispatch(
        setDiagnostics(current.state, diagnosticsOf(current.state.doc, props.problems, fromServer)),
      );
  }, [props.problems, view, fromServer]);
  useEffect(() => {
    const { current } = view;
    if (!current || props.place === null) return;
    const at = offsetOf(current.state.doc, props.place);
    current.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    current.focus();
  }, [props.place, view]);
  return <div ref={host} className="source-field" />;
}

/** The editor has `\n` at the end of each line, whatever was there: that alone is no change. */
const asShown = (source: string): string => source.replaceAll(/\r\n?/g, "\n");

function useEditor(host: React.RefObject<HTMLDivElement | null>, props: Props) {
  const { format, label, isReadOnly } = props;
  const latest = useRef(props);
  latest.current = props;
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const names = props.attributes.join(" ");
  useEffect(() => {
    if (host.current === null) return;
    const editor = new EditorView({
      parent: host.current,
      doc: latest.current.value,
      extensions: [
        basicSetup,
        EditorView.lineWrapping,
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        EditorState.readOnly.of(isReadOnly),
        language.current.of([]),
        sourceTheme,
        EditorView.updateListener.of((update) => {
          const text = update.docChanged ? update.state.doc.toString() : null;
          if (text === null || latest.current.isReadOnly) return;
          if (text !== asShown(latest.current.value)) latest.current.onChange(text);
        }),
      ],
    });
    view.current = editor;
    latest.current.onReady((text) => {
      editor.dispatch(editor.state.replaceSelection(text));
      editor.focus();
    });
    return () => editor.destroy();
  }, [host, label, isReadOnly]);
  useEffect(() => {
    const extension = sourceLanguage(format, names === "" ? [] : names.split(" "));
    view.current?.dispatch({ effects: language.current.reconfigure(extension) });
  }, [format, names, label, isReadOnly]);
  return view;
}

function offsetOf(doc: Text, { line, column }: SourcePlace): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column - 1, 0), to);
}

function diagnosticsOf(
  doc: Text,
  problems: readonly LetterProblem[],
  fromServer: (sentence: string) => string,
): Diagnostic[] {
  return problems.flatMap(({ line, column, message, severity }): Diagnostic[] => {
    if (line === null) return [];
    const from = offsetOf(doc, { line, column: column ?? 1 });
    return [{ from, to: doc.lineAt(from).to, message: fromServer(message), severity }];
  });
}
