import { Alert, Button, CloseButton } from "@mantine/core";
import { useFormat } from "../../frame/format.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Bar } from "../../parts/numbers.tsx";
import { useTexts } from "../../texts/texts.tsx";
import type { Progress, useMany } from "./many-in-force.ts";

type Props = {
  readonly many: Pick<ReturnType<typeof useMany>, "run" | "stop" | "forget">;
  readonly progress: Progress;
};

/** The progress of a change of many contacts, and in the end its result. */
export function ManyProgress({ many, progress }: Props) {
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
        <Button size="compact-sm" variant="default" onClick={many.stop}>
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
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void many.run(undo.chosen, undo.action, changed)}
        >
          {contacts.undo}
        </Button>
      )}
      <CloseButton aria-label={contacts.close} onClick={many.forget} />
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
