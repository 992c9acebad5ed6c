import { Alert, Modal, SegmentedControl, Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { LetterFrame } from "../../parts/letter-frame.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { darkened, LOOKS, WIDTHS, type LetterLook } from "./looks.ts";

/** A letter as the server rendered it. */
type MadeLetter = {
  readonly subject: string;
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
};

type Props = {
  readonly letter: MadeLetter;
  /** The sender's name, as the inbox shows it. */
  readonly from: string;
  readonly look: LetterLook;
  readonly onLook: (look: LetterLook) => void;
  /** Also shows it as the inbox does, where nothing else on the screen says what its subject is. */
  readonly hasInboxLine?: boolean;
};

/** The letter as it will look: rendered by the server, in a frame without any rights. */
export function LetterPreview({ letter, from, look, onLook, hasInboxLine = false }: Props) {
  const { letter: texts } = useTexts();
  const [isLarge, setLarge] = useState(false);
  return (
    <Stack gap="xs">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={texts.lookLabel}
        value={look}
        onChange={(next) => onLook(LOOKS.find((one) => one === next) ?? "phone")}
        data={LOOKS.map((value) => ({ value, label: texts.looks[value] }))}
      />
      {hasInboxLine && look !== "inbox" && <InboxLine letter={letter} from={from} />}
      <Shown letter={letter} from={from} look={look} />
      {look !== "inbox" && letter.html !== "" && (
        <UnstyledButton className="preview-larger" onClick={() => setLarge(true)}>
          {texts.larger}
        </UnstyledButton>
      )}
      <Modal opened={isLarge} onClose={() => setLarge(false)} title={letter.subject} size={820}>
        {isLarge && <Shown letter={letter} from={from} look={look} isLarge />}
      </Modal>
    </Stack>
  );
}

/** Heights in pixels: the letter scrolls in its frame. */
const SMALL = 518;
const LARGE = 760;

type ShownProps = Omit<Props, "onLook" | "hasInboxLine"> & { readonly isLarge?: boolean };

function Shown({ letter, from, look, isLarge = false }: ShownProps) {
  const { letter: texts } = useTexts();
  if (look === "inbox") return <InboxLine letter={letter} from={from} />;
  if (letter.html === "") return <Alert color="gray">{texts.noPreview}</Alert>;
  if (look === "text") return <pre className="preview-text">{letter.text}</pre>;
  return (
    <>
      <div className={isLarge ? "preview-frame preview-large" : "preview-frame"}>
        <LetterFrame
          html={look === "dark" ? darkened(letter.html) : letter.html}
          title={texts.previewTitle(letter.subject)}
          width={WIDTHS[look]}
          height={isLarge ? LARGE : SMALL}
        />
      </div>
      {look === "dark" && (
        <Text size="xs" c="dimmed">
          {texts.darkSays}
        </Text>
      )}
    </>
  );
}

function InboxLine({ letter, from }: Pick<Props, "letter" | "from">) {
  return (
    <div className="inbox-line">
      <span className="inbox-dot" aria-hidden />
      <div>
        <p className="inbox-from">{from}</p>
        <p className="inbox-subject">{letter.subject}</p>
        <p className="inbox-preheader">
          {letter.preheader === "" ? firstWords(letter.text) : letter.preheader}
        </p>
      </div>
    </div>
  );
}

/** Without a preview text, programs show how the letter begins. */
const firstWords = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 120);
