import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconEye, IconPencil } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Way } from "../../../letter-editor/letter-editor.tsx";
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
      {isLooking && <MailPreview data={props.data} onGo={() => setWriting(true)} />}
      <Modal opened={isWriting} onClose={() => setWriting(false)} title={panel.editBody} size={1040}>
        <Stack>
          <SubjectField {...props} />
          <Suspense fallback={<Loading />}>
            <BodyField {...props} />
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
function BodyField({ data, write, isDisabled }: FieldsProps) {
  const format = textOf(data, "html").trim() === "" && data["mjml"] !== undefined ? "mjml" : "html";
  const written = { format, body: textOf(data, format) } as const;
  const [way, setWay] = useState<Way>(format === "mjml" ? "blocks" : "source");
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
      onWay={setWay}
      place={null}
    />
  );
}
