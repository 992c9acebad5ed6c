import { useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** Whether this part of a screen has gone: its dialog was closed, or its page was left. */
export function useIsGone(): { readonly current: boolean } {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  return isGone;
}

/**
 * Opens an address when an answer has come, unless this part of the screen has gone by then. Whoever did something else
 * meanwhile would be taken from it, with what they type there.
 */
export function useGoOn(): ReturnType<typeof useLocation>[1] {
  const [, navigate] = useLocation();
  const isGone = useIsGone();
  return (to, options) => {
    if (!isGone.current) navigate(to, options);
  };
}
