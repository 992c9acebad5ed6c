import { Button, FileButton, Group, Modal, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Media } from "../api/api.gen.ts";
import { CHOOSES_ANEW, withFile } from "../api/chosen-file.ts";
import { api, ok } from "../api/client.ts";
import { usePages } from "../api/pages.ts";
import { LoadError } from "../parts/states/load-error.tsx";
import { Paged } from "../parts/lists/paged.tsx";
import { useTexts } from "../texts/texts.tsx";
import { shownSource } from "./shown-source.ts";

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The image's address, and its width where it is known. */
  readonly onChoose: (url: string, width: number | null) => void;
};

/** The workspace's images, and a way to upload another. */
export function MediaPicker({ opened, onClose, onChoose }: Props) {
  const { letter } = useTexts();
  const choose = (url: string, width: number | null) => {
    onChoose(url, width);
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={letter.media} size="lg">
      {opened && <Chooser onChoose={choose} />}
    </Modal>
  );
}

const KEY = ["media"];

function Chooser({ onChoose }: Pick<Props, "onChoose">) {
  const { letter } = useTexts();
  const pages = usePages<Media>(KEY, ({ query, signal }) =>
    ok(api.GET("/api/v1/media", { params: { query: { ...query, limit: 24 } }, signal })),
  );
  return (
    <Stack>
      <Text c="dimmed">{letter.mediaSays}</Text>
      <Upload onChoose={onChoose} />
      <Paged pages={pages} empty={<Text>{letter.noMedia}</Text>}>
        {(images) => <Images images={images} onChoose={onChoose} />}
      </Paged>
      <ByAddress onChoose={onChoose} />
    </Stack>
  );
}

function Upload({ onChoose }: Pick<Props, "onChoose">) {
  const { letter } = useTexts();
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append("file", file);
      const sent = { body: { file: "" }, bodySerializer: () => form };
      return (await withFile(file, () => ok(api.POST("/api/v1/media", sent)))).data;
    },
    onSuccess: ({ url, width }) => {
      void queries.invalidateQueries({ queryKey: KEY });
      onChoose(url, width);
    },
  });
  return (
    <>
      <FileButton
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(file) => file && upload.mutate(file)}
        inputProps={CHOOSES_ANEW}
      >
        {(props) => (
          <Button {...props} loading={upload.isPending} leftSection={<IconUpload size={16} aria-hidden />}>
            {letter.upload}
          </Button>
        )}
      </FileButton>
      {upload.error && <LoadError error={upload.error} />}
    </>
  );
}

function Images({ images, onChoose }: { readonly images: readonly Media[] } & Pick<Props, "onChoose">) {
  const { letter } = useTexts();
  return (
    <ul className="media-grid">
      {images.map(({ id, name, url, width, height }) => (
        <li key={id}>
          <UnstyledButton className="media-choice" onClick={() => onChoose(url, width)}>
            <img src={shownSource(url) ?? ""} alt="" loading="lazy" />
            <span className="media-name">{name}</span>
            <span className="media-size">{letter.size(width, height)}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

function ByAddress({ onChoose }: Pick<Props, "onChoose">) {
  const { letter } = useTexts();
  const [url, setUrl] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim() !== "") onChoose(url.trim(), null);
      }}
    >
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          className="grow"
          label={letter.mediaAddress}
          placeholder={letter.hrefHint}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={url.trim() === ""}>
          {letter.use}
        </Button>
      </Group>
    </form>
  );
}
