/** What the server says in the page itself (`src/console/page.ts`). */
type PageFacts = {
  readonly root: string;
  readonly version: string;
  /** The service has no relay: mail of workspaces without one of their own is captured. */
  readonly hasMailbox: boolean;
  readonly hasBackups: boolean;
  readonly passkeyOrigin: string | null;
};

const meta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

export const facts = JSON.parse(meta("postrider")) as PageFacts;

/** Set on every style element that a library makes: the page's policy accepts no others. */
export const nonce = meta("csp-nonce");

/** The path that all screens are under. */
export const BASE = `${facts.root}/console`;
