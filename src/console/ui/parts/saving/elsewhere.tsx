import { Alert, Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { UsedDraft } from "../../autosave/use-shared-draft.ts";
import { useFormat } from "../../frame/format.ts";
import { useTexts } from "../../texts/texts.tsx";
import { useDiscarding } from "./unsaved.tsx";

type Props<T extends object> = {
  readonly shared: Pick<UsedDraft<T>, "clash" | "saved" | "isGone" | "keepMine" | "takeTheirs">;
  /** What the fields are called on the screen. */
  readonly names: { readonly [field in keyof T]?: string };
  /** More to choose from. */
  readonly children?: ReactNode;
};

/**
 * Somebody else has saved something else where something is changed here, or has deleted it. Neither is lost by
 * accident.
 */
export function Elsewhere<T extends object>({ shared, names, children }: Props<T>) {
  const { frame } = useTexts();
  const { dateTime } = useFormat();
  const discard = useDiscarding();
  const { clash, saved, isGone, keepMine, takeTheirs } = shared;
  if (isGone)
    return (
      <Alert color="yellow" role="alert" mb="md" title={frame.goneTitle}>
        {frame.goneSays}
      </Alert>
    );
  if (clash.length === 0) return null;
  const { updatedAt }: { readonly updatedAt?: string } = saved ?? {};
  return (
    <Alert
      color="yellow"
      role="alert"
      mb="md"
      title={frame.clashTitle(clash.map((field) => names[field] ?? String(field)).join(", "))}
    >
      <p className="load-error-says">
        {frame.clashSays} {updatedAt !== undefined && frame.clashAt(dateTime(updatedAt))}
      </p>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => discard(takeTheirs)}>
          {frame.takeTheirs}
        </Button>
        <Button size="xs" variant="default" onClick={keepMine}>
          {frame.keepMine}
        </Button>
        {children}
      </Group>
    </Alert>
  );
}
