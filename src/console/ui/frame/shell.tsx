import { Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useEffect, useRef, type ComponentType } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Loading } from "../parts/states/loading.tsx";
import { NoPermission } from "../parts/states/no-permission.tsx";
import { NotFound } from "../parts/states/not-found.tsx";
import { SCREENS } from "../screens.ts";
import { useTexts } from "../texts/texts.tsx";
import { BottomBar } from "./navigation/bottom-bar.tsx";
import { FaultBoundary } from "./fault-boundary.tsx";
import { Finder } from "./finder/finder.tsx";
import { Rail } from "./navigation/rail.tsx";
import type { Role } from "../api/session.ts";
import { useSession } from "./session/session.tsx";
import { ShortcutHelp } from "./shortcut-help.tsx";

/** Around every screen: the rail (on a phone the bottom bar), Ctrl-K and the list of shortcuts. */
export function Shell() {
  const { frame } = useTexts();
  const [isMenuOpen, menu] = useDisclosure(false);
  return (
    <div className="frame">
      <a className="frame-skip" href="#main">
        {frame.skip}
      </a>
      <div className="frame-rail">
        <Rail />
      </div>
      <Main />
      <BottomBar openMenu={menu.open} />
      <Drawer opened={isMenuOpen} onClose={menu.close} title={frame.menu} size="xs" position="left">
        <Rail isInDrawer onLeave={menu.close} />
      </Drawer>
      <Finder />
      <ShortcutHelp />
    </div>
  );
}

const ROUTES = SCREENS.map((screen) => ({ ...screen, Component: lazy(screen.load) }));

function Main() {
  const [address] = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // After a change of screen, focus starts at its top, also for keyboards and screen readers.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [address]);
  return (
    <main id="main" ref={main} tabIndex={-1} className="frame-main">
      <FaultBoundary key={address}>
        <Suspense fallback={<Loading />}>
          <Switch>
            {ROUTES.map(({ path, role, Component }) => (
              <Route key={path} path={path}>
                <Allowed role={role} Component={Component} />
              </Route>
            ))}
            <Route path="/overview">
              <Redirect to="/" replace />
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </FaultBoundary>
    </main>
  );
}

type AllowedProps = { readonly role: Role | undefined; readonly Component: ComponentType };

function Allowed({ role = "viewer", Component }: AllowedProps) {
  return useSession().may(role) ? <Component /> : <NoPermission isPage />;
}
