import { Button, Menu, Popover } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useAttributeNames } from "../api/attributes.ts";
import { useTexts } from "../texts/texts.tsx";
import { mergeTag } from "./merge-tag.ts";
import { OtherwiseForm } from "./otherwise-form.tsx";

/** Everybody has an address; of the rest, some people have none. */
const NAMES = ["firstName", "lastName"] as const;
const LINKS = ["unsubscribeUrl", "preferencesUrl", "webVersionUrl"] as const;

type Asked = { readonly path: string; readonly name: string };

type Props = {
  readonly onInsert: (tag: string) => void;
  readonly isDisabled?: boolean;
  /** Makes the button as high as the field beside it. */
  readonly isBesideField?: boolean;
};

/** A menu of merge tags. One for what some people do not have asks what stands there for them. */
export function MergeTags({ onInsert, isDisabled = false, isBesideField = false }: Props) {
  const { letter } = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <Popover
      opened={asked !== null}
      onChange={(isOpen) => isOpen || setAsked(null)}
      position="bottom-end"
      width={280}
      trapFocus
      returnFocus
      // What the popover hangs at is no button: its roles would be wrong there.
      withRoles={false}
    >
      <Popover.Target>
        <span className="letter-tags-target">
          <Menu position="bottom-end" width={260} returnFocus={asked === null}>
            <Menu.Target>
              <Button
                size={isBesideField ? "sm" : "compact-sm"}
                px={isBesideField ? "sm" : "xs"}
                variant="default"
                disabled={isDisabled}
                rightSection={<IconChevronDown size={14} aria-hidden />}
              >
                {letter.tags}
              </Button>
            </Menu.Target>
            <Choices onInsert={onInsert} onAsk={setAsked} />
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={asked?.name}>
        {asked && (
          <OtherwiseForm
            name={asked.name}
            onApply={(words) => {
              setAsked(null);
              onInsert(mergeTag(asked.path, words));
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

type ChoicesProps = Pick<Props, "onInsert"> & { readonly onAsk: (asked: Asked) => void };

function Choices({ onInsert, onAsk }: ChoicesProps) {
  const { letter } = useTexts();
  const attributes = useAttributeNames();
  return (
    <Menu.Dropdown className="letter-tags">
      <Menu.Label>{letter.tagsSays}</Menu.Label>
      {NAMES.map((name) => (
        <Menu.Item key={name} onClick={() => onAsk({ path: `contact.${name}`, name: letter.tagNames[name] })}>
          {letter.tagNames[name]}
        </Menu.Item>
      ))}
      <Menu.Item onClick={() => onInsert(mergeTag("contact.email"))}>{letter.tagNames.email}</Menu.Item>
      {attributes.length > 0 && <Menu.Label>{letter.attributes}</Menu.Label>}
      {attributes.map((name) => (
        <Menu.Item key={name} onClick={() => onAsk({ path: `contact.attributes.${name}`, name })}>
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      {LINKS.map((name) => (
        <Menu.Item key={name} onClick={() => onInsert(mergeTag(name))}>
          {letter.tagNames[name]}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  );
}
