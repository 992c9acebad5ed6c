import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTexts } from "../../texts/texts.tsx";

/** A text to use elsewhere, such as a DNS record or a key, with a button that copies it. */
export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  const { frame } = useTexts();
  return (
    <div className="copy-line">
      <code>{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? frame.copied : frame.copy}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={frame.copyIt(label)}>
              {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
