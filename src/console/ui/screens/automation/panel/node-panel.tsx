import { Alert, Button, CloseButton, Stack, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { removeNode } from "../../../flow/edit-flow.ts";
import { nodeById, type FlowNode } from "../../../flow/flow.ts";
import { kindOf, type NodeKind } from "../../../flow/node-kind.ts";
import { nodeTitle } from "../../../flow/node-words.ts";
import { useEditor } from "../editor.tsx";
import { figureWords } from "../canvas/node-figure-line.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import type { FieldsProps } from "./fields-props.ts";
import { useTexts } from "../../../texts/texts.tsx";
import { EventFields, ReenrollField } from "./trigger-fields.tsx";
import { ListFields, SetFieldFields, TagFields, WebhookFields } from "./action-fields.tsx";
import { MailFields } from "./mail-fields.tsx";
import { NextFields } from "./next-fields.tsx";
import { useData } from "./use-data.ts";
import { WaitFields } from "./wait-fields.tsx";

type Props = {
  /** Inside a drawer, which has its own button to close it. */
  readonly isInDrawer?: boolean;
};

/** The chosen step: what it does, where it leads, and what happened to the people who came. */
export function NodePanel({ isInDrawer = false }: Props) {
  const { flow, chosen, choose, wording } = useEditor();
  const node = nodeById(flow, chosen);
  if (node === undefined) return <p className="automation-panel-hint">{wording.texts.panel.choose}</p>;
  return (
    <section
      className="automation-panel"
      data-drawer={isInDrawer || undefined}
      aria-labelledby="step-title"
      key={node.id}
    >
      <header>
        <Title order={2} id="step-title">
          {nodeTitle(node, wording)}
        </Title>
        {!isInDrawer && <CloseButton aria-label={wording.texts.panel.close} onClick={() => choose("")} />}
      </header>
      <Stack gap="sm">
        <NodeProblems id={node.id} />
        <NodeFields node={node} />
        <NextFields node={node} />
        <NodeFiguresText id={node.id} />
        <RemoveButton id={node.id} />
      </Stack>
    </section>
  );
}

function NodeProblems({ id }: { readonly id: string }) {
  const { problems } = useEditor();
  const { fromServer } = useTexts();
  return problems
    .filter(({ nodeId }) => nodeId === id)
    .map(({ path, message }) => (
      <Alert key={`${path} ${message}`} color="yellow" variant="light" p="xs">
        {fromServer(message)}
      </Alert>
    ));
}

function NodeFields({ node }: { readonly node: FlowNode }) {
  const { wording } = useEditor();
  const props = useData(node);
  const kind = kindOf(node);
  if (kind === null) return <Alert color="gray">{wording.texts.unknownSays}</Alert>;
  return <KindFields kind={kind} {...props} />;
}

function KindFields({ kind, ...props }: FieldsProps & { readonly kind: NodeKind }) {
  switch (kind) {
    case "newSubscriber":
      return <ReenrollField {...props} usual="once" />;
    case "tagAdded":
      return (
        <>
          <TagFields {...props} />
          <ReenrollField {...props} usual="each_time" />
        </>
      );
    case "customEvent":
      return (
        <>
          <EventFields {...props} />
          <ReenrollField {...props} usual="each_time" />
        </>
      );
    case "wait":
      return <WaitFields {...props} />;
    case "condition":
      return <ConditionFields {...props} />;
    case "sendEmail":
      return <MailFields {...props} />;
    case "addTag":
    case "removeTag":
      return <TagFields {...props} />;
    case "addToList":
    case "removeFromList":
      return <ListFields {...props} />;
    case "setField":
      return <SetFieldFields {...props} />;
    case "webhook":
      return <WebhookFields {...props} />;
    case "unsubscribe":
    case "end":
      return null;
  }
}

function NodeFiguresText({ id }: { readonly id: string }) {
  const { figures, wording } = useEditor();
  const found = figures.get(id);
  if (found === undefined) return null;
  const words = [
    wording.texts.figures.entered(wording.quantity(found.entered)),
    ...figureWords(found, wording),
  ];
  return (
    <div>
      <h3 className="automation-panel-heading">{wording.texts.figures.title}</h3>
      <p className="automation-panel-figures">{words.join(" · ")}</p>
    </div>
  );
}

function RemoveButton({ id }: { readonly id: string }) {
  const { flow, change, choose, canEdit, wording } = useEditor();
  if (!canEdit) return null;
  return (
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconTrash size={16} aria-hidden />}
      onClick={() => {
        change(removeNode(flow, id));
        choose("");
      }}
    >
      {wording.texts.panel.remove}
    </Button>
  );
}
