import type { CSSProperties } from "react";
import type { Block } from "../../letter/letter.ts";
import { isRichText } from "../../letter/rich-text.ts";
import { attributeOf, type Tag } from "../../letter/tag.ts";
import { useTexts } from "../../texts/texts.tsx";
import { shownSource } from "../shown-source.ts";
import { RichView } from "./rich-view.tsx";

/** A block roughly as readers see it. The preview, which the server makes, shows it exactly. */
export function BlockLook({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "locked":
      return <LockedLook name={block.name} written={block.written} />;
    case "text":
      return (
        <div className="look-text" style={textStyle(block.tag)}>
          <RichView html={block.content} />
        </div>
      );
    case "button":
      return (
        <div style={{ textAlign: alignOf(block.tag) }}>
          <span className="look-button" style={buttonStyle(block.tag)}>
            <RichView html={block.content} />
          </span>
        </div>
      );
    case "image":
      return <ImageLook tag={block.tag} />;
    case "divider":
      return <hr className="look-divider" style={dividerStyle(block.tag)} />;
    case "spacer":
      return <div className="look-spacer" style={{ height: attributeOf(block.tag, "height") ?? "20px" }} />;
    case "social":
      return (
        <div className="look-social" style={{ textAlign: alignOf(block.tag) }}>
          {block.links.map(({ tag }, at) => (
            <span key={at}>{attributeOf(tag, "name")}</span>
          ))}
        </div>
      );
    case "raw":
      return <pre className="look-raw">{block.content.trim().slice(0, 400)}</pre>;
  }
}

function LockedLook({ name, written }: { readonly name: string; readonly written: string }) {
  const { letter } = useTexts();
  const says =
    name === "comment" ? letter.lockedComment : name === "text" ? letter.lockedText : letter.lockedSays(name);
  return (
    <div className="look-locked">
      <p>{says}</p>
      <pre>{written.slice(0, 200)}</pre>
    </div>
  );
}

function ImageLook({ tag }: { readonly tag: Tag }) {
  const { letter } = useTexts();
  const source = attributeOf(tag, "src") ?? "";
  const shown = shownSource(source);
  const width = attributeOf(tag, "width") ?? undefined;
  if (shown !== null)
    return (
      <div style={{ textAlign: alignOf(tag) }}>
        <img className="look-image" src={shown} alt={attributeOf(tag, "alt") ?? ""} style={{ width }} />
      </div>
    );
  const host = URL.canParse(source) ? new URL(source).host : source;
  return <div className="look-no-image">{source === "" ? letter.noImage : letter.imageFrom(host)}</div>;
}

type Side = "left" | "center" | "right";

/** The side that mjml puts it on where none is set: text on the left, everything else in the middle. */
export const usualAlign = ({ name }: Tag): Side => (name === "mj-text" ? "left" : "center");

/** The side that mjml puts it on. */
export const alignOf = (tag: Tag): Side => {
  const align = attributeOf(tag, "align");
  return align === "left" || align === "center" || align === "right" ? align : usualAlign(tag);
};

const textStyle = (tag: Tag): CSSProperties => ({
  color: attributeOf(tag, "color") ?? undefined,
  fontSize: attributeOf(tag, "font-size") ?? undefined,
  fontWeight: attributeOf(tag, "font-weight") ?? undefined,
  textAlign: alignOf(tag),
});

const buttonStyle = (tag: Tag): CSSProperties => ({
  backgroundColor: attributeOf(tag, "background-color") ?? "#414141",
  color: attributeOf(tag, "color") ?? "#ffffff",
});

const dividerStyle = (tag: Tag): CSSProperties => ({
  borderTopWidth: attributeOf(tag, "border-width") ?? "4px",
  borderTopColor: attributeOf(tag, "border-color") ?? "#000000",
});

/** Whether the text of a block can be edited as it looks. */
export const isEditedAsText = (block: Block): boolean => block.kind === "text" && isRichText(block.content);
