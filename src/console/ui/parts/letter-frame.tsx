import { useEffect, useState } from "react";
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
};

/** Typing changes the letter with every key. It is shown after a pause. */
const PAUSE_MS = 150;

/**
 * A letter as its reader sees it, in a frame with an origin of its own: nothing in it runs, and it sees nothing of
 * the console. The old letter stays until the new one is loaded, so that nothing flickers.
 */
export function LetterFrame({ html, title, width, height = 600, isDark = false }: Props) {
  const { path, error, again } = useLetterAddress(html);
  const [shown, setShown] = useState<string | null>(null);
  if (error !== null) return <LoadError error={error} retry={again} />;
  const paths = [...new Set([shown, path])].filter((one) => one !== null);
  return (
    <div className="letter-frame" data-dark={isDark || undefined} style={{ width: width ?? "100%", height }}>
      {paths.map((one) => (
        <iframe
          key={one}
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
