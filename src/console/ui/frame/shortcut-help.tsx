import { Kbd, Modal, Switch, Table } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { useTexts } from "../texts/texts.tsx";
import { usePlaces, type Place } from "./navigation/places.ts";
import { useSession } from "./session/session.tsx";
import { shortcutsInForce, switchKeys, useAreKeysOn, useShortcut, useShortcutKeys } from "./shortcuts.ts";

let open = (): void => {};

export const openShortcutHelp = (): void => open();

/** `?` shows every shortcut that works on the screen that is shown. */
export function ShortcutHelp() {
  const { frame } = useTexts();
  const [isOpen, setOpen] = useState(false);
  open = () => setOpen(true);
  useShortcutKeys();
  useShortcut("?", frame.shortcuts, open);
  useShortcut("/", frame.searchHere, () => document.querySelector<HTMLElement>("[data-search]")?.focus());
  return (
    <>
      {useSession().may("editor") && <NewCampaign />}
      {usePlaces().map((place) => (
        <GoTo key={place.path} place={place} />
      ))}
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={frame.shortcuts}>
        {isOpen && <Known />}
      </Modal>
    </>
  );
}

function NewCampaign() {
  const { campaigns } = useTexts();
  const [, navigate] = useLocation();
  useShortcut("c", campaigns.new, () => navigate("/campaigns/new"));
  return null;
}

function GoTo({ place }: { readonly place: Place }) {
  const texts = useTexts();
  const [, navigate] = useLocation();
  useShortcut(`g ${place.key}`, texts.frame.goTo(place.label(texts)), () => navigate(place.path));
  return null;
}

function Known() {
  const { frame } = useTexts();
  const areOn = useAreKeysOn();
  const always = { keys: `${frame.ctrl} K`, says: frame.find };
  const all = areOn ? [always, ...shortcutsInForce()] : [always];
  return (
    <>
      <Switch
        mb="md"
        label={frame.singleKeys}
        description={frame.singleKeysSay}
        checked={areOn}
        onChange={(event) => switchKeys(event.currentTarget.checked)}
      />
      <Table>
        <Table.Tbody>
          {all.map(({ keys, says }) => (
            <Table.Tr key={keys}>
              <Table.Td>{says}</Table.Td>
              <Table.Td ta="right">
                {keys.split(" ").map((key) => (
                  <Kbd key={key} ml={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
