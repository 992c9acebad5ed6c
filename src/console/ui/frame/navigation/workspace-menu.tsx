import { Menu, UnstyledButton } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useTexts } from "../../texts/texts.tsx";
import { BASE } from "../page-facts.ts";
import { chooseWorkspace, useSession } from "../session/session.tsx";

/** The name of the workspace; a menu of all where there are several. */
export function WorkspaceMenu() {
  const { frame } = useTexts();
  const { workspace, workspaces } = useSession();
  if (workspaces.length < 2) return <p className="rail-workspace">{workspace.name}</p>;
  return (
    <Menu width={220} position="bottom-start">
      <Menu.Target>
        <UnstyledButton
          className="rail-workspace rail-chooser"
          aria-label={frame.workspaceIs(workspace.name)}
        >
          <span>{workspace.name}</span>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{frame.workspaces}</Menu.Label>
        {workspaces.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => chooseWorkspace(id, BASE)}
            rightSection={id === workspace.id && <IconCheck size={16} aria-label={frame.chosen} />}
          >
            {name}
            <span className="rail-role">{frame.roles[role]}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
