import { Button, Checkbox, Popover, Stack, Text } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useAttributeNames } from "../../api/attributes.ts";
import { useTexts } from "../../texts/texts.tsx";
import type { ContactFilter } from "./contact-filter.ts";

/** Which columns the table has beside those that it always has. */
export function ColumnChoice({ filter }: { readonly filter: ContactFilter }) {
  const { contacts } = useTexts();
  const names = useAttributeNames();
  return (
    <Popover position="bottom-end" shadow="md" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconColumns3 size={16} aria-hidden />}
          className="contacts-wide"
        >
          {contacts.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="md">
          <Checkbox
            label={contacts.lastOpened}
            description={contacts.lastOpenedSays}
            checked={filter.showsOpened}
            onChange={({ currentTarget }) => filter.setShowsOpened(currentTarget.checked)}
          />
          {names.length === 0 ? (
            <Text size="sm">{contacts.noAttributes}</Text>
          ) : (
            <Checkbox.Group
              label={contacts.columnsSays}
              value={[...filter.columns]}
              onChange={filter.setColumns}
            >
              <Stack gap="xs" mt="xs" className="contacts-columns">
                {names.map((name) => (
                  <Checkbox key={name} value={name} label={name} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
