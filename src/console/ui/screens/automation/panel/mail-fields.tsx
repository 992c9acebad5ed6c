import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconEye, IconPencil } from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useProblemPlaces } from "../../../letter-editor/use-problem-places.ts";
import type { WritingWay, Written } from "../../../letter-editor/writing-ways.ts";
import type { SourcePlace } from "../../../letter/piece-at.ts";
import { Loading } from "../../../parts/states/loading.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import type { FieldsProps } from "./fields-props.ts";
import { MailPreview } from "./mail-preview.tsx";
import { textOf } from "./use-data.ts";

// The editor is as large as the rest of the canvas together: it is loaded when a mail is edited.
const LetterEditor = lazy(() =>
  import("../../../letter-editor/letter-editor.tsx").then((module) => ({ default: module.LetterEditor })),
);

/** The mail of a step: its subject, and its body in the same editor as a campaign's. */
export function MailFields(props: FieldsProps) {
  const { panel } = useTexts().automations;
  const [isWriting, setWriting] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const written = writtenOf(props.data);
  const [way, setWay] = useState<WritingWay>(isWrittenAsSource(written) ? "source" : "blocks");
  const show = useCallback((next: WritingWay) => {
    setWay(next);
    setWriting(true);
  }, []);
  const places = useProblemPlaces(written, way, show);
  return (
    <>
      <SubjectField {...props} />
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setWriting(true)}
      >
        {panel.editBody}
      </Button>
      <Button
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        aria-expanded={isLooking}
        onClick={() => setLooking(!isLooking)}
      >
        {isLooking ? panel.hidePreview : panel.preview}
      </Button>
      {isLooking && <MailPreview data={props.data} places={places} />}
      <Modal opened={isWriting} onClose={() => setWriting(false)} title={panel.editBody} size={1040}>
        <Stack>
          <SubjectField {...props} />
          <Suspense fallback={<Loading />}>
            <BodyField {...props} written={written} way={way} onWay={setWay} place={places.place} />
          </Suspense>
          <Group justify="flex-end">
            <Button onClick={() => setWriting(false)}>{panel.doneWriting}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function SubjectField({ data, write, isDisabled }: FieldsProps) {
  const { panel } = useTexts().automations;
  return (
    <TextInput
      label={panel.subject}
      disabled={isDisabled}
      value={textOf(data, "subject")}
      onChange={(event) => write({ subject: event.currentTarget.value })}
    />
  );
}

/** If a flow has both, `html` wins, as in the engine. What is written replaces the other one. */
function writtenOf(data: FieldsProps["data"]): Written {
  const format = textOf(data, "html").trim() === "" && data["mjml"] !== undefined ? "mjml" : "html";
  return { format, body: textOf(data, format) };
}

/** A mail that is not written yet begins with blocks, as a new campaign does. */
const isWrittenAsSource = ({ format, body }: Written): boolean => format === "html" && body.trim() !== "";

type BodyProps = FieldsProps & {
  readonly written: Written;
  readonly way: WritingWay;
  readonly onWay: (way: WritingWay) => void;
  readonly place: SourcePlace | null;
};

function BodyField({ write, isDisabled, written, way, onWay, place }: BodyProps) {
  return (
    <LetterEditor
      written={written}
      onChange={(change) => {
        const next = { ...written, ...change };
        write({ html: undefined, mjml: undefined, [next.format]: next.body });
      }}
      hasText={false}
      problems={[]}
      isReadOnly={isDisabled}
      way={way}
      onWay={onWay}
      place={place}
    />
  );
}
