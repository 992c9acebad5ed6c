import { Alert, Button, Group, SimpleGrid, Stack, Textarea } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef, useState, type ChangeEvent } from "react";
import { setAttribute, setContent } from "../../letter/edit-letter.ts";
import type { Block, ContentBlock, PlainBlock } from "../../letter/letter.ts";
import { writtenRichText } from "../../letter/rich-text.ts";
import { Loading } from "../../parts/states/loading.tsx";
import { AS_TYPED } from "../../parts/typing.ts";
import { useTexts } from "../../texts/texts.tsx";
import { MediaPicker } from "../media-picker.tsx";
import { useBlockActions } from "./block-actions.tsx";
import { alignOf, isEditedAsText } from "./block-look.tsx";
import { AlignField, ColourField, LengthField, TextField } from "./fields.tsx";
import { SocialFields } from "./social-fields.tsx";

const RichTextField = lazy(() => import("./rich-text-field.tsx"));

/** All fields of a block. */
export function BlockFields({ block }: { readonly block: Block }) {
  const { letter } = useTexts();
  switch (block.kind) {
    case "locked":
      return null;
    case "text":
      return <TextFields block={block} />;
    case "button":
      return <ButtonFields block={block} />;
    case "image":
      return <ImageFields block={block} />;
    case "divider":
      return (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <ColourField piece={block} name="border-color" label={letter.borderColor} />
          <LengthField piece={block} name="border-width" label={letter.borderWidth} />
          <LengthField piece={block} name="padding" label={letter.padding} />
        </SimpleGrid>
      );
    case "spacer":
      return <LengthField piece={block} name="height" label={letter.height} />;
    case "social":
      return <SocialFields block={block} />;
    case "raw":
      return <HtmlField block={block} label={letter.html} />;
  }
}

function TextFields({ block }: { readonly block: ContentBlock }) {
  const { letter } = useTexts();
  const actions = useBlockActions();
  // Decided when the block is chosen, so that the editor does not change while somebody types.
  const [isRich] = useState(() => isEditedAsText(block));
  const before = useRef(block.content);
  // What the editor wrote itself. Any other content, for example from an undo, is loaded into it.
  const written = useRef(block.content);
  useEffect(() => {
    written.current = block.content;
  }, [block.content]);
  return (
    <Stack gap="sm">
      {isRich ? (
        <Suspense fallback={<Loading lines={2} />}>
          <RichTextField
            html={block.content}
            isOwn={block.content === written.current}
            label={letter.kinds.text}
            align={alignOf(block.tag)}
            onChange={(html) => {
              const content = writtenRichText(html, before.current);
              written.current = content;
              actions.edit((open) => setContent(open, block.id, content), `${block.id} content`);
            }}
          />
        </Suspense>
      ) : (
        <HtmlField block={block} label={letter.html} says={letter.editAsHtml} />
      )}
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <ColourField piece={block} name="color" label={letter.color} />
        <LengthField piece={block} name="font-size" label={letter.fontSize} />
        <LengthField piece={block} name="padding" label={letter.padding} />
      </SimpleGrid>
      <AlignField piece={block} />
    </Stack>
  );
}

type HtmlFieldProps = { readonly block: ContentBlock; readonly label: string; readonly says?: string };

/** HTML that would end its block is not written to the letter. It stays in the field, with the reason. */
function useHtml(block: ContentBlock) {
  const { letter } = useTexts();
  const actions = useBlockActions();
  const [refused, setRefused] = useState<string | null>(null);
  return {
    value: refused ?? block.content,
    error: refused !== null && letter.wouldBreak,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLTextAreaElement>): void => {
      const isTaken = actions.edit((open) => setContent(open, block.id, value), `${block.id} content`);
      setRefused(isTaken ? null : value);
    },
  };
}

function HtmlField({ block, label, says }: HtmlFieldProps) {
  return (
    <Stack gap="xs">
      {says && <Alert color="gray">{says}</Alert>}
      <Textarea
        {...AS_TYPED}
        {...useHtml(block)}
        className="mono"
        autosize
        minRows={4}
        maxRows={20}
        label={label}
      />
    </Stack>
  );
}

function ButtonFields({ block }: { readonly block: ContentBlock }) {
  const { letter } = useTexts();
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <HtmlLine block={block} label={letter.words} />
        <TextField
          piece={block}
          name="href"
          label={letter.href}
          placeholder={letter.hrefHint}
          keepsEmpty
          isLink
        />
        <ColourField piece={block} name="background-color" label={letter.background} />
        <ColourField piece={block} name="color" label={letter.color} />
      </SimpleGrid>
      <AlignField piece={block} />
    </Stack>
  );
}

function HtmlLine({ block, label }: HtmlFieldProps) {
  return (
    <Textarea
      {...useHtml(block)}
      // Words for people, in HTML: only its quotes are kept as they are.
      spellCheck={AS_TYPED.spellCheck}
      rows={1}
      autosize
      label={label}
    />
  );
}

/** No column of a letter is wider. */
const WIDEST = 600;

function ImageFields({ block }: { readonly block: PlainBlock }) {
  const { letter } = useTexts();
  const { edit } = useBlockActions();
  const [isChoosing, setChoosing] = useState(false);
  const choose = (url: string, width: number | null) => {
    const isSmall = width !== null && width < WIDEST;
    edit((open) => {
      const next = setAttribute(open, block.id, "src", url);
      return isSmall ? setAttribute(next, block.id, "width", `${width}px`) : next;
    });
  };
  return (
    <Stack gap="sm">
      <Group align="flex-end" wrap="nowrap">
        <div className="grow">
          <TextField piece={block} name="src" label={letter.src} placeholder={letter.hrefHint} keepsEmpty />
        </div>
        <Button onClick={() => setChoosing(true)}>{letter.chooseImage}</Button>
      </Group>
      <TextField piece={block} name="alt" label={letter.alt} description={letter.altSays} keepsEmpty />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField piece={block} name="href" label={letter.href} placeholder={letter.hrefHint} isLink />
        <LengthField piece={block} name="width" label={letter.width} />
      </SimpleGrid>
      <AlignField piece={block} />
      <MediaPicker opened={isChoosing} onClose={() => setChoosing(false)} onChoose={choose} />
    </Stack>
  );
}
