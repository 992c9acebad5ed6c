import type { Settings } from "#workspaces/settings/settings.ts";

/** How a workspace's public pages and confirmations look, and in which language they speak. */
export type Look = Pick<Settings, "name" | "language" | "brandColor" | "logoUrl">;

export const lookOf = ({ name, language, brandColor, logoUrl }: Settings): Look => ({
  name,
  language,
  brandColor,
  logoUrl,
});
