import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useAttributeNames } from "../api/attributes.ts";
import { useTexts } from "../texts/texts.tsx";

const CONTACT = ["firstName", "lastName", "email"] as const;
const LINKS = ["unsubscribeUrl", "preferencesUrl", "webVersionUrl"] as const;

type Props = {
  readonly onInsert: (tag: string) => void;
  readonly isDisabled?: boolean;
  /** Makes the button as high as the field beside it. */
  readonly isBesideField?: boolean;
};

/** A menu of merge tags: what is filled in for each person. */
export function MergeTags({ onInsert, isDisabled = false, isBesideField = false }: Props) {
  const { letter } = useTexts();
  const attributes = useAttributeNames();
  return (
    <Menu position="bottom-end" width={260} returnFocus>
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
      <Menu.Dropdown className="letter-tags">
        <Menu.Label>{letter.tagsSays}</Menu.Label>
        {CONTACT.map((name) => (
          <Menu.Item key={name} onClick={() => onInsert(`{{ contact.${name} }}`)}>
            {letter.tagNames[name]}
          </Menu.Item>
        ))}
        {attributes.length > 0 && <Menu.Label>{letter.attributes}</Menu.Label>}
        {attributes.map((name) => (
          <Menu.Item key={name} onClick={() => onInsert(`{{ contact.attributes.${name} }}`)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {LINKS.map((name) => (
          <Menu.Item key={name} onClick={() => onInsert(`{{ ${name} }}`)}>
            {letter.tagNames[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
