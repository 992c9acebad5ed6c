import { ActionIcon, Text, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTexts } from "../../texts/texts.tsx";

/** A text to use elsewhere, such as a DNS record or a key, with a button that copies it. */
export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  const { frame } = useTexts();
  const { copy, copied, error } = useClipboard();
  const shown = useRef<HTMLElement>(null);
  // Browsers keep the clipboard from a page of plain http. Then the text is selected, for the keys that copy.
  useEffect(() => {
    if (error !== null && shown.current !== null) getSelection()?.selectAllChildren(shown.current);
  }, [error]);
  return (
    <>
      <div className="copy-line">
        <code ref={shown}>{text}</code>
        <Tooltip label={copied ? frame.copied : frame.copy}>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => copy(text)}
            aria-label={frame.copyIt(label)}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      </div>
      {error !== null && (
        <Text size="sm" role="status">
          {frame.copyByHand}
        </Text>
      )}
    </>
  );
}
