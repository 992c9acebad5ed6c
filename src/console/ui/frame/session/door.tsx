import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { ApiError, requestsAreAbout, whenSignedOut } from "../../api/client.ts";
import { sessionQuery, type Session } from "../../api/session.ts";
import { keptFor } from "../../autosave/on-this-device.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import {
  atLeast,
  chosenWorkspace,
  pageIsOf,
  SessionContext,
  wasSomebodyHere,
  type Here,
} from "./session.tsx";
import { Shell } from "../shell.tsx";
import { stopWork } from "../unfinished.ts";
import { tellOtherTabs, whenToldBy } from "./other-tabs.ts";
import { NoWorkspace } from "./no-workspace.tsx";
import { isDialogOpen, SignedOut } from "./signed-out.tsx";

const Welcome = lazy(() => import("../../screens/welcome/welcome-screen.tsx"));
const SignIn = lazy(() => import("../../screens/sign-in/sign-in-screen.tsx"));

/** Decides what is shown: the screens for people who are signed in, otherwise the pages before that. */
export function Door() {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/sign-in" component={SignIn} />
        <Route path="/welcome/:token" component={Welcome} />
        <Route component={Inside} />
      </Switch>
    </Suspense>
  );
}

function Inside() {
  const [address] = useLocation();
  const queries = useQueryClient();
  const session = useQuery(sessionQuery);
  useEffect(() => whenSignedOut(() => void queries.invalidateQueries(sessionQuery)), [queries]);
  const isEnded = session.error instanceof ApiError && session.error.status === 401;
  if (isEnded && !(session.data !== undefined && isDialogOpen())) {
    // What is left here is saved by nobody until they are back.
    keptFor(null);
    return <Redirect to={signInAddress(address)} replace state={{ ended: wasSomebodyHere() }} />;
  }
  if (session.data !== undefined)
    return (
      <>
        <WithSession session={session.data} />
        {isEnded && <SignedOut />}
      </>
    );
  if (session.error !== null)
    return <LoadError error={session.error} retry={() => void session.refetch()} isWholePage />;
  return <Loading />;
}

/** The sign-in page with an address to which the person returns afterwards. */
const signInAddress = (address: string): string => {
  const wanted = address + location.search;
  return wanted === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(wanted)}`;
};

function WithSession({ session }: { readonly session: Session }) {
  const person = session.user.id;
  const queries = useQueryClient();
  useEffect(() => tellOtherTabs(person), [person]);
  useEffect(
    () =>
      whenToldBy((now) => {
        if (now === null) {
          // They left on purpose: nothing of theirs stays on the screen, whatever is open.
          keptFor(null);
          void queries.resetQueries(sessionQuery);
        } else if (now !== person) void queries.invalidateQueries(sessionQuery);
      }),
    [person, queries],
  );
  const isTheirs = pageIsOf(person);
  const here = useMemo(() => (isTheirs ? hereOf(session) : null), [isTheirs, session]);
  if (!isTheirs) {
    // What goes from the screen now must not be saved by them.
    keptFor(null);
    return <SomebodyElse />;
  }
  if (here === null) return <NoWorkspace />;
  return (
    <SessionContext value={here}>
      <Shell />
    </SessionContext>
  );
}

/** Another person has signed in: the page is loaded again, so that nothing of the one before stays in memory. */
function SomebodyElse() {
  useEffect(() => {
    stopWork();
    location.reload();
  }, []);
  return <Loading />;
}

function hereOf(session: Session): Here | null {
  const workspace = chosenWorkspace(session.workspaces);
  if (workspace === undefined) return null;
  requestsAreAbout(workspace.id);
  keptFor({ person: session.user.id, workspace: workspace.id });
  return { ...session, workspace, may: (role) => atLeast(workspace.role, role) };
}
