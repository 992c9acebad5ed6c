import { UnstyledButton } from "@mantine/core";
import { IconMenu2 } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { useTexts } from "../../texts/texts.tsx";
import { RailIcon } from "./rail-icon.tsx";
import { isAt, usePlaces, type Place } from "./places.ts";

/** What a phone has in place of the rail: at most four places, and a menu with all. */
export function BottomBar({ openMenu }: { readonly openMenu: () => void }) {
  const texts = useTexts();
  const [address] = useLocation();
  const all = usePlaces();
  /** Also on a page that only the menu leads to, if it belongs there. */
  const isHere = ({ path }: Place): boolean =>
    all.some((one) => (one.path === path || one.under === path) && isAt(address, one.path));
  return (
    <nav className="bottom-bar" aria-label={texts.frame.navigation}>
      {all
        .filter(({ onPhone }) => onPhone)
        .slice(0, 4)
        .map((place) => (
          <Link
            key={place.path}
            href={place.path}
            aria-current={isAt(address, place.path) ? "page" : isHere(place) || undefined}
          >
            <RailIcon name={place.icon} />
            {place.label(texts)}
          </Link>
        ))}
      <UnstyledButton onClick={openMenu}>
        <IconMenu2 size={18} stroke={1.7} aria-hidden />
        {texts.frame.menu}
      </UnstyledButton>
    </nav>
  );
}
