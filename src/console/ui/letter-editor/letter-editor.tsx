import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import type { LetterProblem } from "../api/api.gen.ts";
import { useAttributeNames } from "../api/attributes.ts";
import { starterLetter } from "../letter/new-blocks.ts";
import { Loading } from "../parts/states/loading.tsx";
import type { SourcePlace } from "../letter/piece-at.ts";
import { useTexts } from "../texts/texts.tsx";
import { BlocksEditor } from "./blocks/blocks-editor.tsx";
import { MergeTags } from "./merge-tags.tsx";
import type { WritingWay, Written } from "./writing-ways.ts";

const SourceField = lazy(() => import("./source/source-field.tsx"));

type Props = {
  readonly written: Written;
  readonly onChange: (change: Partial<Written>) => void;
  /** Whether the letter has a text part of its own. */
  readonly hasText: boolean;
  readonly problems: readonly LetterProblem[];
  readonly isReadOnly: boolean;
  readonly way: WritingWay;
  readonly onWay: (way: WritingWay) => void;
  /** A place to jump to. A new object jumps again. */
  readonly place: SourcePlace | null;
  /** Called when a merge tag was put into the letter. */
  readonly onTag?: () => void;
};

/** Three ways to write one letter: blocks, source, and the text part. Campaigns and templates share it. */
export function LetterEditor(props: Props) {
  const { letter } = useTexts();
  const { written, onChange, hasText, isReadOnly, way, onWay } = props;
  const ways: readonly WritingWay[] = hasText ? ["blocks", "source", "text"] : ["blocks", "source"];
  return (
    <Stack gap="sm">
      <SegmentedControl
        className="letter-ways"
        aria-label={letter.wayLabel}
        value={way}
        onChange={(next) => onWay(ways.find((one) => one === next) ?? "blocks")}
        data={ways.map((value) => ({ value, label: letter.ways[value] }))}
      />
      {way === "blocks" && <Blocks {...props} />}
      {way === "source" && <Source {...props} />}
      {way === "text" && (
        <Textarea
          className="mono"
          autosize
          minRows={12}
          label={letter.textLabel}
          description={letter.textSays}
          readOnly={isReadOnly}
          value={written.text ?? ""}
          onChange={({ currentTarget }) =>
            onChange({ text: currentTarget.value === "" ? null : currentTarget.value })
          }
        />
      )}
    </Stack>
  );
}

function Blocks({ written, onChange, isReadOnly, onWay, place }: Props) {
  const { campaigns } = useTexts();
  const toSource = () => onWay("source");
  // A letter that is not written yet can become one of blocks: the first change makes it one.
  const isUnwritten = written.format === "html" && written.body.trim() === "" && !isReadOnly;
  if (written.format === "mjml" || isUnwritten)
    return (
      <BlocksEditor
        source={isUnwritten ? starterLetter(campaigns.firstText) : written.body}
        isReadOnly={isReadOnly}
        place={place}
        toSource={toSource}
        onChange={(body) => onChange(isUnwritten ? { format: "mjml", body } : { body })}
      />
    );
  return <NoBlocks isReadOnly={isReadOnly} toSource={toSource} onStart={onChange} />;
}

type NoBlocksProps = {
  readonly isReadOnly: boolean;
  readonly toSource: () => void;
  readonly onStart: (change: Partial<Written>) => void;
};

/** A letter in HTML has no blocks. It can be started again with blocks; this says what would be lost. */
function NoBlocks({ isReadOnly, toSource, onStart }: NoBlocksProps) {
  const { letter, campaigns } = useTexts();
  return (
    <Alert color="gray">
      <p className="load-error-says">{letter.noBody}</p>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={toSource}>
          {letter.toSource}
        </Button>
        {!isReadOnly && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onStart({ format: "mjml", body: starterLetter(campaigns.firstText) })}
          >
            {letter.startOver}
          </Button>
        )}
      </Group>
      {!isReadOnly && (
        <Text size="sm" c="dimmed" mt="xs">
          {letter.startOverSays}
        </Text>
      )}
    </Alert>
  );
}

function Source({ written, onChange, problems, isReadOnly, place, onTag }: Props) {
  const { letter } = useTexts();
  const attributes = useAttributeNames();
  const insert = useRef<(text: string) => void>(() => {});
  const [isReady, setReady] = useState(false);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={letter.format}
          readOnly={isReadOnly}
          value={written.format}
          onChange={(format) => onChange({ format: format === "mjml" ? "mjml" : "html" })}
          data={(["mjml", "html"] as const).map((value) => ({ value, label: letter.formats[value] }))}
        />
        <MergeTags
          isDisabled={isReadOnly || !isReady}
          onInsert={(tag) => {
            insert.current(tag);
            onTag?.();
          }}
        />
      </Group>
      <Suspense fallback={<Loading />}>
        <SourceField
          value={written.body}
          onChange={(body) => onChange({ body })}
          format={written.format}
          label={letter.sourceLabel}
          problems={problems}
          attributes={attributes}
          place={place}
          isReadOnly={isReadOnly}
          onReady={(put) => {
            insert.current = put;
            setReady(true);
          }}
        />
      </Suspense>
    </Stack>
  );
}
