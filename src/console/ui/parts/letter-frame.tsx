import { useEffect, useRef, useState, type RefObject } from "react";
import { api, ok } from "../api/client.ts";
import { LoadError } from "./states/load-error.tsx";

type Props = {
  /** The letter as the server rendered it. */
  readonly html: string;
  /** The frame's name for screen readers. */
  readonly title: string;
  /** In pixels; the full width if not given. */
  readonly width?: number;
  readonly height?: number;
  /** As on a device in dark mode, for pages that support it. */
  readonly isDark?: boolean;
  /** The id of the part of the letter that is meant: it comes into sight, and is `:target` there. */
  readonly part?: string | null;
};

/** Typing changes the letter with every key. It is shown after a pause. */
const PAUSE_MS = 150;

/**
 * A letter as its reader sees it, in a frame with an origin of its own: nothing in it runs, and it sees nothing of
 * the console. The old letter stays until the new one is loaded, so that nothing flickers.
 */
export function LetterFrame({ html, title, width, height = 600, isDark = false, part = null }: Props) {
  const { path, error, again } = useLetterAddress(html);
  const [shown, setShown] = useState<string | null>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  usePart(frame, shown, part);
  if (error !== null) return <LoadError error={error} retry={again} />;
  const paths = [...new Set([shown, path])].filter((one) => one !== null);
  return (
    <div className="letter-frame" data-dark={isDark || undefined} style={{ width: width ?? "100%", height }}>
      {paths.map((one) => (
        <iframe
          key={one}
          ref={one === shown ? frame : undefined}
          src={one}
          title={title}
          sandbox=""
          referrerPolicy="no-referrer"
          hidden={shown !== null && one !== shown}
          onLoad={() => setShown(path)}
        />
      ))}
    </div>
  );
}

/** Another part of the same page does not load it anew, and the way back does not lead over it. */
function usePart(
  frame: RefObject<HTMLIFrameElement | null>,
  shown: string | null,
  part: string | null,
): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (shown === null || part === last.current) return;
    last.current = part;
    const address = new URL(shown, window.location.href);
    address.hash = part ?? "none";
    frame.current?.contentWindow?.location.replace(address.href);
  }, [frame, shown, part]);
}

/** Gives the HTML to the server, which makes an address for the frame. */
function useLetterAddress(html: string) {
  const [path, setPath] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    const timer = setTimeout(
      () => {
        const asked = ok(api.POST("/api/v1/letters/preview", { body: { html }, signal: gone.signal }));
        asked
          .then(({ data }) => {
            setError(null);
            return setPath(data.path);
          })
          .catch((reason: Error) => {
            if (!gone.signal.aborted) setError(reason);
          });
      },
      tries === 0 ? PAUSE_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [html, tries]);
  return { path, error, again: () => setTries((before) => before + 1) };
}
