import { Alert, Button, JsonInput, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Simulation, SimulationRequest } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { nodeById } from "../../flow/flow.ts";
import { kindOf } from "../../flow/node-kind.ts";
import { nodeTitle } from "../../flow/node-words.ts";
import { useFormat } from "../../frame/format.ts";
import { useEditor } from "./editor.tsx";
import { MomentInZone } from "../../parts/moment-picker.tsx";
import { NumberText } from "../../parts/typed/number-text.tsx";
import { readObject } from "../../parts/typed/typed-object.ts";
import { useTexts } from "../../texts/texts.tsx";
import { pathWords } from "./path-words.ts";

type Props = {
  readonly onResult: (simulation: Simulation | null) => void;
  /** Saves what was typed; false if the server's flow is not the one on the screen. */
  readonly before: () => Promise<boolean>;
  readonly isUnpublished: boolean;
};

/** Chooses a person and a moment, and highlights the path. Nothing is sent. */
export function SimulatePanel({ onResult, before, isUnpublished }: Props) {
  const { wording, simulated } = useEditor();
  const texts = wording.texts.simulate;
  return (
    <section className="automation-panel" aria-labelledby="simulate-title">
      <Title order={2} id="simulate-title">
        {texts.title}
      </Title>
      <p className="automation-panel-hint">{isUnpublished ? texts.unsaved : texts.says}</p>
      <SimulateForm onResult={onResult} before={before} isDisabled={isUnpublished} />
      {simulated !== null && <SimulatedPath simulation={simulated} clear={() => onResult(null)} />}
    </section>
  );
}

type FormProps = Pick<Props, "onResult" | "before"> & { readonly isDisabled: boolean };

function useSimulation({ onResult, before }: Pick<Props, "onResult" | "before">) {
  const { automationId: id, wording } = useEditor();
  return useMutation({
    mutationFn: async (body: SimulationRequest) => {
      // The server's flow is another one: its path would be shown on this one.
      if (!(await before())) throw new Error(wording.texts.simulate.notSaved);
      return await ok(api.POST("/api/v1/automations/{id}/simulate", { params: { path: { id } }, body }));
    },
    onSuccess: ({ data }) => onResult(data),
    onError: () => onResult(null),
  });
}

type Asked = {
  readonly email: string;
  /** In ISO 8601; null: now. */
  readonly startAt: string | null;
  readonly opens: boolean;
  /** Null: as many as at first. */
  readonly days: number | null;
  readonly properties: string;
};

const ASKED = { email: "", startAt: null, opens: false, days: 90, properties: "" } satisfies Asked;

function SimulateForm({ onResult, before, isDisabled }: FormProps) {
  const { flow, wording } = useEditor();
  const [asked, setAsked] = useState<Asked>(ASKED);
  const run = useSimulation({ onResult, before });
  const waitsForEvent = flow.nodes.some((node) => kindOf(node) === "customEvent");
  const submit = () => {
    const request = requestOf(asked, waitsForEvent);
    if (request !== null) run.mutate(request);
  };
  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        submit();
      }}
    >
      <Stack gap="sm">
        <AskedFields
          asked={asked}
          set={(change) => setAsked((now) => ({ ...now, ...change }))}
          waitsForEvent={waitsForEvent}
        />
        {run.error && (
          <Alert color="red" role="alert">
            {run.error.message}
          </Alert>
        )}
        <Button type="submit" loading={run.isPending} disabled={isDisabled}>
          {wording.texts.simulate.run}
        </Button>
      </Stack>
    </form>
  );
}

/** Null: the properties are no JSON object. */
function requestOf(
  { email, startAt, opens, days, properties }: Asked,
  waitsForEvent: boolean,
): SimulationRequest | null {
  const event = readObject(properties);
  if (event === null) return null;
  return {
    email,
    opens,
    days: days ?? ASKED.days,
    ...(startAt === null ? {} : { startAt }),
    ...(waitsForEvent ? { properties: event } : {}),
  };
}

type AskedFieldsProps = {
  readonly asked: Asked;
  readonly set: (change: Partial<Asked>) => void;
  readonly waitsForEvent: boolean;
};

function AskedFields({ asked, set, waitsForEvent }: AskedFieldsProps) {
  const { wording, zone } = useEditor();
  const texts = wording.texts.simulate;
  return (
    <>
      <TextInput
        type="email"
        required
        label={texts.who}
        description={texts.whoSays}
        value={asked.email}
        onChange={(typed) => set({ email: typed.currentTarget.value })}
      />
      <MomentInZone
        clearable
        zone={zone}
        label={texts.when}
        placeholder={texts.now}
        at={asked.startAt}
        onChange={(startAt) => set({ startAt })}
      />
      <NumberText label={texts.days} value={asked.days} onChange={(days) => set({ days })} />
      {waitsForEvent && (
        <JsonInput
          label={texts.properties}
          placeholder='{ "plan": "pro" }'
          autosize
          minRows={2}
          error={readObject(asked.properties) === null ? texts.badProperties : null}
          value={asked.properties}
          onChange={(properties) => set({ properties })}
        />
      )}
      <Switch
        label={texts.opens}
        checked={asked.opens}
        onChange={(typed) => set({ opens: typed.currentTarget.checked })}
      />
    </>
  );
}

const SHOWN_MAX = 200;

function SimulatedPath({
  simulation,
  clear,
}: {
  readonly simulation: Simulation;
  readonly clear: () => void;
}) {
  const { flow, choose, wording, zone } = useEditor();
  const { dateTime } = useFormat(zone);
  const { fromServer } = useTexts();
  const texts = wording.texts.simulate;
  const { steps, status, errorMessage } = simulation;
  return (
    <section className="automation-path" aria-label={texts.path}>
      <ol>
        {steps.slice(0, SHOWN_MAX).map(({ at, nodeId }, index) => {
          const node = nodeById(flow, nodeId);
          return (
            // A step may come several times, so its number in the order is its key.
            <li key={index}>
              <time dateTime={at}>{dateTime(at)}</time>
              <button type="button" onClick={() => choose(nodeId)}>
                {node === undefined ? nodeId : nodeTitle(node, wording)}
              </button>
              <span>{fromServer(pathWords(flow, simulation, index, wording))}</span>
            </li>
          );
        })}
      </ol>
      <p role="status">{errorMessage === null ? texts.ends[status] : fromServer(errorMessage)}</p>
      <Button variant="subtle" onClick={clear}>
        {texts.clear}
      </Button>
    </section>
  );
}
