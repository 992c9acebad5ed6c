import { Alert, Button, CloseButton } from "@mantine/core";
import { useFormat } from "../../frame/format.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Bar } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";
import type { Progress } from "./many.ts";

type Props = {
  readonly progress: Progress;
  readonly onStop: () => void;
  readonly onUndo: (undo: NonNullable<Progress["undo"]>) => void;
  readonly onClose: () => void;
};

/** The progress of a change of many contacts, and in the end its result. */
export function ManyProgress({ progress, onStop, onUndo, onClose }: Props) {
  const { contacts, fromServer } = useTexts();
  const { quantity } = useFormat();
  const { kind, isOver, total, changed, unchanged, refused, undo, problems, error } = progress;
  const done = changed + unchanged + refused;
  if (!isOver)
    return (
      <div className="contacts-work" role="status">
        <span>{contacts.working(quantity(done), quantity(total))}</span>
        <div className="contacts-work-bar">
          <Bar part={done} whole={total} label={contacts.working(quantity(done), quantity(total))} />
        </div>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          {contacts.stop}
        </Button>
      </div>
    );
  const says = [
    ...(progress.isStopped ? [contacts.stopped] : []),
    contacts.did[kind](quantity(changed)),
    ...(unchanged > 0 ? [contacts.wereSo(quantity(unchanged))] : []),
    ...(refused > 0 ? [contacts.couldNot(quantity(refused))] : []),
  ].join(" · ");
  return (
    <>
      <span className="contacts-work" role="status">
        {says}
      </span>
      {undo && (
        <Button size="compact-sm" variant="default" onClick={() => onUndo(undo)}>
          {contacts.undo}
        </Button>
      )}
      <CloseButton aria-label={contacts.close} onClick={onClose} />
      {error && <LoadError error={error} />}
      {problems.length > 0 && (
        <Alert color="yellow" className="contacts-all-width">
          <ul className="contacts-problems">
            {problems.map(({ email, message }) => (
              <li key={email}>
                <strong>{email}</strong> {fromServer(message)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  );
}
