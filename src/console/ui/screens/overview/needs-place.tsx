import { Title } from "@mantine/core";
import { useEffect, useState, type RefObject } from "react";
import { deviceMemory } from "../../frame/device-memory.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useTexts } from "../../texts/texts.tsx";

/**
 * The height of the list of open tasks when it was last shown, in pixels; null on a device that never showed it.
 * The checks may take seconds, and nothing should move when they arrive.
 */
export function useRememberedHeight(): readonly [number | null, (height: number) => void] {
  const key = `postrider.needs.${useSession().workspace.id}`;
  const [remembered] = useState(() => deviceMemory.read(key));
  const remember = (height: number): void => deviceMemory.keep(key, String(height));
  return [remembered === null ? null : Number(remembered), remember];
}

/** Remembers a list's height whenever what is in it changes. @param content undefined until it is known */
export function useRememberHeightOf(list: RefObject<HTMLElement | null>, content: unknown): void {
  const [, remember] = useRememberedHeight();
  useEffect(() => {
    if (content !== undefined) remember(list.current?.offsetHeight ?? 0);
  });
}

/** A placeholder for the list until it is loaded. */
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
