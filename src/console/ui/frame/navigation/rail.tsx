import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { IconInbox, IconKeyboard, IconSearch } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { useIsCaptured } from "../../api/settings.ts";
import { useTexts } from "../../texts/texts.tsx";
import { openFinder } from "../finder/finder-marks.ts";
import { facts } from "../page-facts.ts";
import { BrandMark } from "./brand-mark.tsx";
import { isAt, usePlaces } from "./places.ts";
import { PersonMenu } from "./person-menu.tsx";
import { RailIcon } from "./rail-icon.tsx";
import { openShortcutHelp } from "../shortcut-help.tsx";
import { useAreKeysOn } from "../shortcuts.ts";
import { WorkspaceMenu } from "./workspace-menu.tsx";

type Props = { readonly isInDrawer?: boolean; readonly onLeave?: (() => void) | undefined };

export function Rail({ isInDrawer = false, onLeave }: Props) {
  const texts = useTexts();
  const [address] = useLocation();
  const places = usePlaces();
  return (
    <Around isInDrawer={isInDrawer}>
      {!isInDrawer && <Brand />}
      <WorkspaceMenu />
      <nav aria-label={texts.frame.navigation} className="rail-places">
        {places.map((place) => (
          <Link
            key={place.path}
            href={place.path}
            onClick={onLeave}
            className={place.under === undefined ? "rail-place" : "rail-place rail-under"}
            aria-current={isAt(address, place.path) ? "page" : undefined}
          >
            {place.under === undefined && <RailIcon name={place.icon} />}
            <span>{place.label(texts)}</span>
          </Link>
        ))}
      </nav>
      <Foot isInDrawer={isInDrawer} onLeave={onLeave} />
    </Around>
  );
}

/** A landmark, so that the brand and the workspace are inside one. Not in a drawer, which is a dialog already. */
function Around({ isInDrawer, children }: { readonly isInDrawer: boolean; readonly children: ReactNode }) {
  return isInDrawer ? (
    <div className="rail rail-drawer">{children}</div>
  ) : (
    <header className="rail">{children}</header>
  );
}

function Brand() {
  return (
    <Link href="/" className="rail-brand">
      <BrandMark size={24} />
      Postrider
    </Link>
  );
}

function Foot({ isInDrawer = false, onLeave }: Props) {
  const { frame } = useTexts();
  const isCaptured = useIsCaptured() ?? false;
  const areKeysOn = useAreKeysOn();
  return (
    <div className="rail-foot">
      {facts.hasMailbox && (
        <a className="rail-place" href={`${facts.root}/mailbox`} target="_blank" rel="noreferrer">
          <IconInbox size={18} stroke={1.7} aria-hidden />
          <span>{frame.mailbox}</span>
          {isCaptured && <span className="rail-note">{frame.captured}</span>}
        </a>
      )}
      <UnstyledButton
        className="rail-place"
        onClick={() => {
          onLeave?.();
          openFinder();
        }}
      >
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <span>{frame.find}</span>
        {!isInDrawer && <kbd>{frame.ctrl} K</kbd>}
      </UnstyledButton>
      {!isInDrawer && (
        <UnstyledButton className="rail-place" onClick={openShortcutHelp}>
          <IconKeyboard size={18} stroke={1.7} aria-hidden />
          <span>{frame.shortcuts}</span>
          {areKeysOn && <kbd>?</kbd>}
        </UnstyledButton>
      )}
      <PersonMenu />
    </div>
  );
}
