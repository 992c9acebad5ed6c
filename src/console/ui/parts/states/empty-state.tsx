import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTabTitle } from "../../frame/use-tab-title.ts";

type Props = {
  readonly title: string;
  /** One sentence: what this is for. */
  readonly says: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
  /** Nothing else is on the page: its title is the page's. */
  readonly isPage?: boolean;
};

/** Shown where there is nothing yet. */
export function EmptyState({ title, says, action, isPage = false }: Props) {
  useTabTitle(isPage ? [title] : []);
  return (
    <div className="empty-state">
      <Title order={isPage ? 1 : 2} size="h2">
        {title}
      </Title>
      <Text c="dimmed">{says}</Text>
      {action}
    </div>
  );
}
