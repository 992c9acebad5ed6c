import { useCallback, useMemo, useState } from "react";
import { redo, startHistory, stepHistory, undo, type History } from "../../parts/saving/history.ts";
import type { Letter } from "../../letter/letter.ts";
import { readLetter, type Unreadable } from "../../letter/read-letter.ts";
import { writeLetter } from "../../letter/write-letter.ts";

type Open = {
  /** How often the source was read again: after that, ids mean other blocks. */
  readonly times: number;
  /** The source of the present blocks. A different source came from elsewhere and is read again. */
  readonly source: string;
  readonly history: History<Letter> | null;
  readonly reason: Unreadable | null;
};

function open(source: string, times: number): Open {
  const read = readLetter(source);
  if (!read.ok) return { times, source, history: null, reason: read.reason };
  return { times, source, history: startHistory(read.letter), reason: null };
}

/** A source as blocks, with undo. Every change is written back to the source. */
export function useBlocks(source: string, onChange: (source: string) => void) {
  const [kept, setState] = useState(() => open(source, 0));
  const state = kept.source === source ? kept : open(source, kept.times + 1);
  if (state !== kept) setState(state);
  const { history, reason, times } = state;

  const go = useCallback(
    (next: History<Letter>) => {
      const written = writeLetter(next.present);
      setState({ times, source: written, history: next, reason: null });
      if (written !== source) onChange(written);
    },
    [onChange, source, times],
  );
  return useMemo(
    () => ({
      letter: history?.present ?? null,
      reason,
      times,
      canUndo: (history?.past.length ?? 0) > 0,
      canRedo: (history?.future.length ?? 0) > 0,
      /** @param about the field that the step changes: steps with the same one are undone together */
      change(next: Letter, about: string | null = null) {
        if (history && next !== history.present) go(stepHistory(history, next, about));
      },
      undo: () => history && go(undo(history)),
      redo: () => history && go(redo(history)),
    }),
    [history, reason, times, go],
  );
}
