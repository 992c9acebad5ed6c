import { Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { BrandMark } from "../../frame/navigation/brand-mark.tsx";
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
        <BrandMark size={36} />
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
