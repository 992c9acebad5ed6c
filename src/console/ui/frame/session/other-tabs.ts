/**
 * All tabs of a browser share one session. So each tells the others who is signed in, and nobody goes on in a tab that
 * has become somebody else's. A browser without channels asks the server once a minute, as all do.
 */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("postrider.session") : null;

/** @param person the id of who is signed in; null: nobody is now */
export function tellOtherTabs(person: string | null): void {
  // A channel has no other origins.
  // oxlint-disable-next-line require-post-message-target-origin
  channel?.postMessage(person);
}

/** @returns stops listening */
export function whenToldBy(otherTab: (person: string | null) => void): () => void {
  const heard = ({ data }: MessageEvent<string | null>): void => otherTab(data);
  channel?.addEventListener("message", heard);
  return () => channel?.removeEventListener("message", heard);
}
