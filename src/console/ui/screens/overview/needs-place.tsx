import { Title } from "@mantine/core";
import { useEffect, useState, type RefObject } from "react";
import { useSession } from "../../frame/session/session.tsx";
import { useTexts } from "../../texts/texts.tsx";

/**
 * How high the list of what needs somebody was when it was last looked at, in pixels; null on a device that never did.
 * The checks may take seconds, and nothing is to move when they come.
 */
export function useRememberedHeight(): readonly [number | null, (height: number) => void] {
  const key = `postrider.needs.${useSession().workspace.id}`;
  const [remembered] = useState(() => localStorage.getItem(key));
  const remember = (height: number): void => localStorage.setItem(key, String(height));
  return [remembered === null ? null : Number(remembered), remember];
}

/** Remembers a list's height whenever what is in it changes. @param content undefined until it is known */
export function useRememberHeightOf(list: RefObject<HTMLElement | null>, content: unknown): void {
  const [, remember] = useRememberedHeight();
  useEffect(() => {
    if (content !== undefined) remember(list.current?.offsetHeight ?? 0);
  });
}

/** The place of the list until it is there. */
export function NeedsPlace() {
  const { overview, frame } = useTexts();
  const [height] = useRememberedHeight();
  if (height === null || height === 0) return null;
  return (
    <section role="status" aria-label={frame.loading}>
      <Title order={2} mb="sm">
        {overview.needsYou}
      </Title>
      <div className="overview-needs" style={{ height }} />
    </section>
  );
}
