import { ActionIcon, Button, Menu, NativeSelect, Popover, Tooltip } from "@mantine/core";
import { IconLock, IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { useRuleSentences } from "./choices.ts";
import { ChipEditor } from "./chip-editor.tsx";
import { addChip, addGroup, lastKey, removePiece, setMode } from "./rules/edit.ts";
import { FIELD_KINDS } from "./rules/fields.ts";
import type { Chip, Group, Locked, Mode, Piece, RuleDraft } from "./rules/model.ts";
import { clauseOf } from "./rules/sentence.ts";
import { writeRules, type RuleProblem } from "./rules/write.ts";

type Props = {
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
  readonly disabled?: boolean;
};

type Shared = Props & {
  readonly problems: readonly RuleProblem[];
  /** The chip whose editor is open. */
  readonly open: string | null;
  readonly setOpen: (key: string | null) => void;
};

/** Rules as a sentence of chips. Each can be changed, joined with others in groups, and removed. */
export function RuleBuilder(props: Props) {
  const { rules } = useTexts();
  const [open, setOpen] = useState<string | null>(null);
  const { problems } = writeRules(props.draft);
  return (
    <div className="rules">
      <span className="rules-everybody">
        {rules.everybody}
        {props.draft.root.mode === "none" && ` ${rules.except}`}
      </span>
      <Members {...props} group={props.draft.root} problems={problems} open={open} setOpen={setOpen} />
    </div>
  );
}

function Members({ group, ...shared }: Shared & { readonly group: Group }) {
  const { rules } = useTexts();
  return (
    <>
      {group.members.map((member, i) => (
        <span className="rules-member" key={member.key}>
          {i > 0 && <Joint {...shared} group={group} isFirst={i === 1} />}
          <OnePiece {...shared} piece={member} />
        </span>
      ))}
      {!shared.disabled && <Adder {...shared} group={group} />}
      {shared.problems
        .filter(({ key, code }) => key === group.key && code !== "emptyGroup")
        .map(({ code }) => (
          <span className="rules-problem" role="alert" key={code}>
            {rules.problems[code]}
          </span>
        ))}
    </>
  );
}

/** "and" or "or" between two members. In the outer group, the first one changes it for the whole group. */
function Joint({ group, draft, onChange, disabled, isFirst }: Shared & { group: Group; isFirst: boolean }) {
  const { rules } = useTexts();
  if (!isFirst || disabled || group.key !== draft.root.key)
    return <span className="rules-joint">{rules.joints[group.mode]}</span>;
  return (
    <NativeSelect
      size="xs"
      aria-label={rules.joining}
      className="rules-joining"
      value={group.mode}
      onChange={(event) => onChange(setMode(draft, group.key, event.currentTarget.value as Mode))}
      data={(["all", "any", "none"] as const).map((mode) => ({ value: mode, label: rules.joinings[mode] }))}
    />
  );
}

function OnePiece({ piece, ...shared }: Shared & { readonly piece: Piece }) {
  if (piece.kind === "chip") return <OneChip {...shared} chip={piece} />;
  return piece.kind === "locked" ? (
    <LockedPiece {...shared} piece={piece} />
  ) : (
    <InnerGroup {...shared} group={piece} />
  );
}

function InnerGroup({ group, ...shared }: Shared & { readonly group: Group }) {
  const { rules } = useTexts();
  const { draft, onChange, disabled = false, problems } = shared;
  const isEmpty = problems.some(({ key, code }) => key === group.key && code === "emptyGroup");
  return (
    <span className="rules-group" role="group" aria-label={rules.modes[group.mode]}>
      <NativeSelect
        size="xs"
        aria-label={rules.groupMode}
        className="rules-mode"
        disabled={disabled}
        value={group.mode}
        onChange={(event) => onChange(setMode(draft, group.key, event.currentTarget.value as Mode))}
        data={(["all", "any", "none"] as const).map((mode) => ({ value: mode, label: rules.modes[mode] }))}
      />
      <Members {...shared} group={group} />
      {isEmpty && <span className="rules-problem">{rules.problems.emptyGroup}</span>}
      {!disabled && <Remover {...shared} piece={group} says={rules.modes[group.mode]} />}
    </span>
  );
}

function OneChip({ chip, ...shared }: Shared & { readonly chip: Chip }) {
  const { draft, onChange, disabled = false, problems, open, setOpen } = shared;
  const { rules } = useTexts();
  const { words, naming } = useRuleSentences();
  const says = clauseOf(chip, words, naming);
  const problem = problems.find(({ key }) => key === chip.key);
  return (
    <Popover
      opened={open === chip.key}
      onChange={(isOpen) => setOpen(isOpen ? chip.key : null)}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      width={320}
    >
      <span className="rules-chip" data-bad={problem !== undefined || undefined}>
        <Popover.Target>
          <button
            type="button"
            className="rules-chip-text"
            disabled={disabled}
            aria-label={rules.edit(says)}
            onClick={() => setOpen(open === chip.key ? null : chip.key)}
          >
            {says}
          </button>
        </Popover.Target>
        {!disabled && <Remover {...shared} piece={chip} says={says} />}
      </span>
      <Popover.Dropdown>
        <ChipEditor
          chip={chip}
          problem={problem?.code ?? null}
          draft={draft}
          onChange={onChange}
          onDone={() => setOpen(null)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function LockedPiece({ piece, ...shared }: Shared & { readonly piece: Locked }) {
  const { rules } = useTexts();
  const { words, naming } = useRuleSentences();
  const says = clauseOf(piece, words, naming);
  return (
    <span className="rules-chip" data-locked>
      <Tooltip label={rules.locked} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
        <button type="button" className="rules-chip-text" aria-label={`${says}. ${rules.locked}`}>
          <IconLock size={14} aria-hidden /> {says}
        </button>
      </Tooltip>
      {!shared.disabled && <Remover {...shared} piece={piece} says={says} />}
    </span>
  );
}

function Remover({ draft, onChange, piece, says }: Props & { piece: Piece; says: string }) {
  const { rules } = useTexts();
  return (
    <ActionIcon
      size={24}
      variant="transparent"
      color="gray"
      aria-label={rules.remove(says)}
      onClick={() => onChange(removePiece(draft, piece.key))}
    >
      <IconX size={14} aria-hidden />
    </ActionIcon>
  );
}

function Adder({ group, draft, onChange, setOpen }: Shared & { readonly group: Group }) {
  const { rules } = useTexts();
  const { words } = useRuleSentences();
  const change = (next: RuleDraft): void => {
    onChange(next);
    setOpen(lastKey(next));
  };
  return (
    <Menu position="bottom-start" withinPortal returnFocus={false}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          className="rules-add"
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          {rules.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} className="rules-fields">
        {FIELD_KINDS.map((field) => (
          <Menu.Item key={field} onClick={() => change(addChip(draft, group.key, field))}>
            {words.fields[field]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChange(addGroup(draft, group.key, "any"))}>{rules.addGroup}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
