import { Button, NumberInput, Table, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ScoringRule, ScoringRuleCreate } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session.tsx";
import { Paged } from "../../parts/paged.tsx";
import { sayRefusal, useUndo } from "../../parts/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { Section } from "./section.tsx";

const KEY = ["scoring-rules"] as const;

/** Points that contacts earn by what they do. */
export function ScoringSection() {
  const { scoring } = useTexts();
  const { may } = useSession();
  const pages = usePages<ScoringRule>(KEY, ({ query, signal }) =>
    ok(api.GET("/api/v1/scoring-rules", { params: { query }, signal })),
  );
  return (
    <Section title={scoring.title} says={scoring.says}>
      {may("editor") && <NewRule />}
      <Paged pages={pages} empty={<p>{scoring.none}</p>}>
        {(items) => <RuleTable items={items} />}
      </Paged>
    </Section>
  );
}

function RuleTable({ items }: { readonly items: readonly ScoringRule[] }) {
  const { scoring } = useTexts();
  const { may } = useSession();
  const { number } = useFormat();
  const { remove } = useRules();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{scoring.event}</Table.Th>
          <Table.Th ta="right">{scoring.points}</Table.Th>
          {may("editor") && <Table.Th ta="right">{scoring.actions}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((rule) => (
          <Table.Tr key={rule.id}>
            <Table.Td className="settings-long">
              <code>{rule.event}</code>
            </Table.Td>
            <Table.Td ta="right">{number(rule.points)}</Table.Td>
            {may("editor") && (
              <Table.Td ta="right">
                <Button size="compact-sm" variant="subtle" onClick={() => remove(rule)}>
                  {scoring.remove}
                </Button>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function NewRule() {
  const { scoring } = useTexts();
  const [event, setEvent] = useState("");
  const [points, setPoints] = useState<number | string>(1);
  const { adding } = useRules();
  return (
    <form
      className="add-line"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        adding.mutate({ event: event.trim(), points: Number(points) }, { onSuccess: () => setEvent("") });
      }}
    >
      <TextInput
        label={scoring.event}
        required
        withAsterisk={false}
        placeholder="purchase"
        value={event}
        error={adding.error?.message}
        onChange={(changed) => setEvent(changed.currentTarget.value)}
      />
      <NumberInput
        label={scoring.points}
        required
        withAsterisk={false}
        allowDecimal={false}
        value={points}
        onChange={setPoints}
      />
      <Button type="submit" variant="default" loading={adding.isPending}>
        {scoring.add}
      </Button>
    </form>
  );
}

function useRules() {
  const queries = useQueryClient();
  const { scoring } = useTexts();
  const undo = useUndo();
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const adding = useMutation({
    mutationFn: (body: ScoringRuleCreate) => ok(api.POST("/api/v1/scoring-rules", { body })),
    onSettled,
  });
  const removing = useMutation({
    mutationFn: ({ id }: ScoringRule) =>
      ok(api.DELETE("/api/v1/scoring-rules/{id}", { params: { path: { id } } })),
    onSettled,
    onError: sayRefusal,
    onSuccess: (_, { event, points, minValueCents }) =>
      undo(scoring.removed(event), () => adding.mutate({ event, points, minValueCents })),
  });
  return { adding, remove: removing.mutate };
}
