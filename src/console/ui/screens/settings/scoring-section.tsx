import { Button, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ScoringRule, ScoringRuleCreate } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { useSession } from "../../frame/session/session.tsx";
import { DataTable } from "../../parts/lists/data-table.tsx";
import { Count } from "../../parts/numbers.tsx";
import { Paged } from "../../parts/lists/paged.tsx";
import { sayRefusal, useUndo } from "../../parts/saving/undo.tsx";
import { AS_TYPED } from "../../parts/typing.ts";
import { useTexts } from "../../texts/texts.tsx";
import { Section } from "./parts/section.tsx";

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
  const { remove } = useRules();
  return (
    <DataTable
      items={items}
      keyOf={({ id }) => id}
      columns={[
        { label: scoring.event, kind: "long", cell: ({ event }) => <code>{event}</code> },
        { label: scoring.points, kind: "number", cell: ({ points }) => <Count value={points} /> },
        may("editor")
          ? {
              label: scoring.actions,
              kind: "actions",
              cell: (rule) => (
                <Button size="compact-sm" variant="subtle" onClick={() => remove(rule)}>
                  {scoring.remove}
                </Button>
              ),
            }
          : null,
      ]}
    />
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
        {...AS_TYPED}
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
