import { notifications } from "@mantine/notifications";
import { useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useReducer, useRef, useState } from "react";
import { ApiError, isPassing } from "../api/client.ts";
import { useTexts } from "../texts/texts.tsx";
import { isBeingLeft } from "./being-left.ts";
import { typedField, type Field } from "./typed-field.ts";

export type UsedField<Value> = ReturnType<typeof useTypedField<Value>>;

/** It is asked for once more, and then shown. */
async function seenAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
  // The screens hear of an answer in the next turn.
  await new Promise((resolve) => setTimeout(resolve));
}

/**
 * A field of this screen that is saved when it is left (see `typed-field.ts`).
 * @param shownBy the query that has what is stored
 */
export function useTypedField<Value>(field: Field<Value>, shownBy: QueryKey) {
  const queries = useQueryClient();
  const { frame } = useTexts();
  const latest = useRef({ field, frame, shownBy });
  latest.current = { field, frame, shownBy };
  const isGone = useRef(false);
  const [, show] = useReducer((count: number) => count + 1, 0);
  const [own] = useState(() => {
    // On the screen the reason stands beside the field; and the sign-in page says why it is there.
    const refused = (problem: Error): void => {
      if (!isGone.current || (problem instanceof ApiError && problem.status === 401)) return;
      const message = latest.current.frame.notSaved(problem.message);
      notifications.show({ color: "red", autoClose: false, message });
    };
    return typedField<Value>(() => latest.current.field, show, refused, isPassing);
  });
  useEffect(() => {
    isGone.current = false;
    const look = async (): Promise<void> => {
      await seenAgain(queries, latest.current.shownBy);
      if (!isGone.current && own.isLeft()) own.leave();
    };
    // What an earlier visit left is saved now. What was loaded then may have changed since.
    if (own.isLeft()) void look();
    window.addEventListener("pagehide", own.goAway);
    return () => {
      window.removeEventListener("pagehide", own.goAway);
      isGone.current = true;
      own.goAway();
    };
  }, [own, queries]);
  const { type, discard, keepMine } = own;
  // What is stored is looked at before it is written over. Who types on or goes away meanwhile leaves the field once more.
  const lookAndLeave = async (): Promise<void> => {
    const left = own.shown();
    if (left !== field.stored) await seenAgain(queries, shownBy);
    if (!isGone.current && own.shown() === left) own.leave();
  };
  const leave = (): void => isBeingLeft(lookAndLeave());
  return {
    shown: own.shown(),
    type,
    leave,
    discard,
    /** What somebody else has saved since this was typed: then nothing is saved until the person has chosen. */
    elsewhere: own.isElsewhere() ? (field.written(field.stored) ?? "") : null,
    keepMine,
  };
}
