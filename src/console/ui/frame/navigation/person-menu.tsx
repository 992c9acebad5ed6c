import { Menu, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { IconBook, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { chooseLanguage, LANGUAGES, useLanguage, useTexts, type Language } from "../../texts/texts.tsx";
import { facts } from "../page-facts.ts";
import { useSession } from "../session/session.tsx";
import { useSignOut } from "../session/sign-out.ts";

const SCHEMES: readonly MantineColorScheme[] = ["auto", "light", "dark"];

/** The person at the foot of the rail: looks, language, the reference, signing out. */
export function PersonMenu() {
  const { frame } = useTexts();
  const { user } = useSession();
  const signOut = useSignOut();
  return (
    <Menu width={230} position="top-start">
      <Menu.Target>
        <UnstyledButton className="rail-place rail-person">
          <IconUserCircle size={18} stroke={1.7} aria-hidden />
          <span>{user.email}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Looks />
        <Languages />
        <Menu.Divider />
        <Menu.Item
          component="a"
          href={`${facts.root}/docs`}
          target="_blank"
          leftSection={<IconBook size={16} aria-hidden />}
        >
          {frame.reference}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {frame.signOut}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Postrider {facts.version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

function Looks() {
  const { frame } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{frame.looks}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      >
        {SCHEMES.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {frame.schemes[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function Languages() {
  const { frame } = useTexts();
  const language = useLanguage();
  return (
    <>
      <Menu.Label>{frame.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(value) => chooseLanguage(value as Language)}>
        {LANGUAGES.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value} lang={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
