import { notifications } from "@mantine/notifications";
import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect, useReducer, useRef, useState } from "react";
import { ApiError, isPassing } from "../api/client.ts";
import { useTexts } from "../texts/texts.tsx";
import { isBeingLeft } from "./being-left.ts";
import { seenAgain } from "./seen-again.ts";
import { typedField, type Field } from "./typed-field.ts";

export type UsedField<Value> = ReturnType<typeof useTypedField<Value, unknown>>;

/** The query that has what is stored, and where in its answer it is. */
type ShownBy<Value, Answer> = { readonly queryKey: QueryKey; storedIn(answer: Answer): Value };

/**
 * A field of this screen that is saved when it is left (see `typed-field.ts`). What is stored is looked at before it is
 * written over. Only a page that is closed has no time for that.
 */
export function useTypedField<Value, Answer>(field: Field<Value>, shownBy: ShownBy<Value, Answer>) {
  const queries = useQueryClient();
  const { frame } = useTexts();
  const latest = useRef({ field, frame, shownBy });
  latest.current = { field, frame, shownBy };
  const isGone = useRef(false);
  const [, show] = useReducer((count: number) => count + 1, 0);
  const tell = (why: string): void =>
    void notifications.show({ color: "red", autoClose: false, message: latest.current.frame.notSaved(why) });
  const [own] = useState(() => {
    // On the screen the reason stands beside the field; and the sign-in page says why it is there.
    const refused = (problem: Error): void => {
      if (isGone.current && !(problem instanceof ApiError && problem.status === 401)) tell(problem.message);
    };
    return typedField<Value>(() => latest.current.field, show, refused, isPassing);
  });
  /** It is not on the screen any more. What somebody else has saved meanwhile is asked about when the person is back. */
  const lookAndGoAway = useRef(async (): Promise<void> => {
    const { field: before, shownBy: by } = latest.current;
    await seenAgain(queries, by.queryKey);
    const answer = queries.getQueryData<Answer>(by.queryKey);
    const stored = answer === undefined ? before.stored : by.storedIn(answer);
    latest.current = { ...latest.current, field: { ...before, stored } };
    if (own.isDue() && own.isElsewhere()) tell(latest.current.frame.clash);
    else own.goAway();
  });
  useEffect(() => {
    isGone.current = false;
    const look = async (): Promise<void> => {
      await seenAgain(queries, latest.current.shownBy.queryKey);
      if (!isGone.current && own.isLeft()) own.leave();
    };
    // What an earlier visit left is saved now. What was loaded then may have changed since.
    if (own.isLeft()) void look();
    window.addEventListener("pagehide", own.goAway);
    return () => {
      isGone.current = true;
      const gone = own.isDue() ? lookAndGoAway.current() : Promise.resolve();
      isBeingLeft(gone.finally(() => window.removeEventListener("pagehide", own.goAway)));
    };
  }, [own, queries]);
  const { type, discard, keepMine } = own;
  // Who types on or goes away meanwhile leaves the field once more.
  const lookAndLeave = async (): Promise<void> => {
    const left = own.shown();
    if (left !== field.stored) await seenAgain(queries, shownBy.queryKey);
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
