import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTabTitle } from "../../frame/use-tab-title.ts";

type Props = {
  readonly title: string;
  readonly says?: string;
  /** The paragraphs under the card. */
  readonly foot?: readonly string[];
  readonly children: ReactNode;
};

/** A page for people who are not signed in: one card. */
export function Outside({ title, says, foot, children }: Props) {
  useTabTitle([title]);
  return (
    <main className="outside">
      <div className="outside-brand">
        <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
          <rect width="32" height="32" rx="8" className="rail-brand-ground" />
          <path d="M6 10h20v13H6zM6 11l10 7 10-7" className="rail-brand-letter" />
        </svg>
        Postrider
      </div>
      <Paper p="xl" className="outside-card">
        <Title order={1} mb={says ? 4 : "lg"}>
          {title}
        </Title>
        {says && (
          <Text c="dimmed" mb="lg">
            {says}
          </Text>
        )}
        {children}
      </Paper>
      {foot?.map((line) => (
        <p key={line} className="outside-foot">
          {line}
        </p>
      ))}
    </main>
  );
}
