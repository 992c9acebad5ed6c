import type { Database } from "bun:sqlite";
import { endsStay } from "#automations/run/enroll.ts";
import { letterSource } from "#automations/mail/mail-plan.ts";
import type { RunWrite } from "#automations/run/step/node-performance.ts";
import type { Run } from "#automations/run/run.ts";
import { effectWrites } from "#storage/sqlite/automations/automation-effects.ts";
import { automationMail } from "#storage/sqlite/automations/automation-mail.ts";
import { enrollmentMoves } from "#storage/sqlite/automations/enrollment-moves.ts";
import { stayingStarts } from "./staying-starts.ts";

/** The automation of the run, and the time. */
export type Of = {
  readonly workspace: number;
  readonly automation: { readonly number: number; readonly id: string };
  readonly now: number;
};

/** The row numbers that a step of a run is about. */
export const whose = ({ workspace, automation }: Of, { seq, contact, event }: Run) => ({
  enrollment: seq,
  workspace,
  automation: automation.number,
  contact,
  event,
});

/** Carries out what a turn writes (automations/run/turn.ts). */
export type WriteTurn = (run: Run, writes: readonly RunWrite[]) => void;

/** For the turns of one slice, on an open transaction. */
export function runWrites(sqlite: Database): (of: Of) => WriteTurn {
  const runs = enrollmentMoves(sqlite);
  const mail = automationMail(sqlite);
  const changesOf = effectWrites(sqlite);
  const staying = stayingStarts(sqlite);

  const planMail = (run: Run, write: Extract<RunWrite, { kind: "mail" }>, of: Of): void => {
    const { letter, month } = write.mail;
    mail.plan({
      ...whose(of, run),
      node: letter.nodeId,
      execution: write.execution,
      address: write.address,
      sourceId: letterSource(of.automation.id, letter, month),
      content: () => JSON.stringify(letter.content),
      month,
      at: of.now,
    });
  };

  return (of) => {
    const change = changesOf(of.workspace, of.now);
    const { automation, now } = of;
    // Asked once for all runs of the slice: while they are moved, no further start begins to stay.
    const someStay = staying.some(automation.number);
    return (run, writes) => {
      for (const write of writes) {
        if (write.kind === "mail") planMail(run, write, of);
        else if (write.kind === "change")
          change(write.effect, { ...whose(of, run), depth: write.depth }, write.contact);
        else {
          runs.move(write, now);
          if (someStay && endsStay(write, now)) staying.callNext(automation.number, run.contact, now);
        }
      }
    };
  };
}
