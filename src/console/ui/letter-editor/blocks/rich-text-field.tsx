import { RichTextEditor } from "@mantine/tiptap";
import { Link } from "@tiptap/extension-link";
import { useEditor, type Editor } from "@tiptap/react";
import { StarterKit } from "@tiptap/starter-kit";
import { useEffect, useRef, useState } from "react";
import { nonce } from "../../frame/page-facts.ts";
import { pastedHtml } from "../../letter/pasted.ts";
import { shownRichText } from "../../letter/rich-text.ts";
import { useTexts } from "../../texts/texts.tsx";
import { MergeTags } from "../merge-tags.tsx";
import { LinkForm } from "./link-form.tsx";
import { ShownDirections } from "./shown-directions.ts";

type Props = {
  readonly html: string;
  /** Whether the editor itself wrote it last. */
  readonly isOwn: boolean;
  readonly onChange: (html: string) => void;
  readonly label: string;
  readonly align: "left" | "center" | "right";
};

/** Liquid and `mailto:` are allowed as links. Addresses that run code in a browser are not. */
const isLink = (address: string): boolean => !/^\s*(javascript|data|vbscript)\s*:/i.test(address);

/** Text as it will look. HTML that it cannot hold is never opened in it (`isRichText`). */
export default function RichTextField({ html, isOwn, onChange, label, align }: Props) {
  const { letter } = useTexts();
  const latest = useRef(onChange);
  latest.current = onChange;
  const [isLinking, setLinking] = useState(false);
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        code: false,
        codeBlock: false,
        horizontalRule: false,
        heading: { levels: [1, 2, 3] },
        link: false,
      }),
      Link.configure({
        openOnClick: false,
        autolink: false,
        HTMLAttributes: { rel: null, target: null, class: null },
        isAllowedUri: isLink,
      }),
      ShownDirections,
    ],
    content: shownRichText(html),
    injectNonce: nonce,
    editorProps: {
      attributes: { "aria-label": label, "aria-multiline": "true", role: "textbox" },
      transformPastedHTML: pastedHtml,
    },
    onUpdate: ({ editor: changed }) => latest.current(changed.getHTML()),
  });
  useEffect(() => {
    if (!isOwn) editor.commands.setContent(shownRichText(html), { emitUpdate: false });
  }, [editor, html, isOwn]);
  return (
    <RichTextEditor editor={editor} labels={labelsOf(letter)} className="rich-field">
      <RichTextEditor.Toolbar>
        <RichTextEditor.ControlsGroup>
          <RichTextEditor.Bold />
          <RichTextEditor.Italic />
          <RichTextEditor.Underline />
          <RichTextEditor.H2 />
          <RichTextEditor.BulletList />
          <RichTextEditor.OrderedList />
          <RichTextEditor.Control
            aria-label={letter.link}
            title={letter.link}
            aria-pressed={isLinking}
            onClick={() => setLinking(!isLinking)}
          >
            {letter.link}
          </RichTextEditor.Control>
        </RichTextEditor.ControlsGroup>
        <MergeTags onInsert={(tag) => editor.chain().focus().insertContent(tag).run()} />
      </RichTextEditor.Toolbar>
      {isLinking && <Linking editor={editor} onDone={() => setLinking(false)} />}
      <RichTextEditor.Content style={{ textAlign: align }} />
    </RichTextEditor>
  );
}

function Linking({ editor, onDone }: { readonly editor: Editor; readonly onDone: () => void }) {
  const current = editor.getAttributes("link") as { href?: string };
  return (
    <LinkForm
      href={current.href ?? ""}
      onApply={(href) => {
        const chain = editor.chain().focus().extendMarkRange("link");
        if (href === "") chain.unsetLink().run();
        else chain.setLink({ href }).run();
        onDone();
      }}
    />
  );
}

const labelsOf = (letter: ReturnType<typeof useTexts>["letter"]) => ({
  boldControlLabel: letter.bold,
  italicControlLabel: letter.italic,
  underlineControlLabel: letter.underline,
  h2ControlLabel: letter.heading,
  bulletListControlLabel: letter.bullets,
  orderedListControlLabel: letter.numbers,
});
