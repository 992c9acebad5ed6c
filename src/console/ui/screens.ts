import type { ComponentType } from "react";
import type { Role } from "./api/session.ts";
import type { Texts } from "./texts/en/index.ts";

/** A screen: where it is, and how it is loaded when somebody goes there. */
export type Screen = {
  /** wouter's pattern, under `/console`: `/campaigns/:id`. */
  readonly path: string;
  /** Loads the module whose default export is the screen. */
  load(): Promise<{ readonly default: ComponentType }>;
  /** Its place in the rail and in Ctrl-K; without it, only links lead to the screen. */
  readonly rail?: RailEntry;
  /** The least role that may see it; everybody unless given. */
  readonly role?: Role;
};

export type RailEntry = {
  label(texts: Texts): string;
  /** The key that leads there after `g`. */
  readonly key: string;
  readonly icon: IconName;
  /** Where it leads, if the screen's path has parameters. */
  readonly href?: string;
  /** The entry under which this one is shown. */
  readonly under?: string;
  /** Whether it is one of the four in the bottom bar of a phone. */
  readonly onPhone?: boolean;
};

/** The icons of the rail; `frame/navigation/rail-icon.tsx` draws them. */
export type IconName =
  | "overview"
  | "campaigns"
  | "automations"
  | "audience"
  | "forms"
  | "templates"
  | "activity"
  | "settings";

/** In the order of the rail. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/",
    load: () => import("./screens/overview/overview-screen.tsx"),
    rail: { label: ({ overview }) => overview.title, key: "o", icon: "overview", onPhone: true },
  },
  {
    path: "/campaigns",
    load: () => import("./screens/campaigns/campaigns-screen.tsx"),
    rail: { label: ({ campaigns }) => campaigns.title, key: "c", icon: "campaigns", onPhone: true },
  },
  {
    path: "/campaigns/new",
    load: () => import("./screens/campaigns/new-campaign-screen.tsx"),
    role: "editor",
  },
  { path: "/campaigns/:id/report", load: () => import("./screens/report/report-screen.tsx") },
  { path: "/campaigns/:id", load: () => import("./screens/campaign/campaign-screen.tsx") },
  {
    path: "/automations",
    load: () => import("./screens/automations/automations-screen.tsx"),
    rail: { label: ({ automations }) => automations.title, key: "a", icon: "automations", onPhone: true },
  },
  { path: "/automations/:id", load: () => import("./screens/automation/automation-screen.tsx") },
  {
    path: "/contacts",
    load: () => import("./screens/contacts/contacts-screen.tsx"),
    rail: { label: ({ contacts }) => contacts.title, key: "p", icon: "audience", onPhone: true },
  },
  { path: "/imports", load: () => import("./screens/imports/imports-screen.tsx") },
  { path: "/imports/new", load: () => import("./screens/imports/new-import-screen.tsx"), role: "editor" },
  { path: "/imports/:id", load: () => import("./screens/imports/import-screen.tsx") },
  { path: "/contacts/:id", load: () => import("./screens/contact/contact-screen.tsx") },
  {
    path: "/lists",
    load: () => import("./screens/lists/lists-screen.tsx"),
    rail: { label: ({ lists }) => lists.title, key: "l", icon: "audience", under: "/contacts" },
  },
  { path: "/lists/:id", load: () => import("./screens/lists/list-screen.tsx") },
  {
    path: "/segments",
    load: () => import("./screens/segments/segments-screen.tsx"),
    rail: { label: ({ segments }) => segments.title, key: "e", icon: "audience", under: "/contacts" },
  },
  { path: "/segments/new", load: () => import("./screens/segments/segment-screen.tsx"), role: "editor" },
  { path: "/segments/:id", load: () => import("./screens/segments/segment-screen.tsx") },
  {
    path: "/templates",
    load: () => import("./screens/templates/templates-screen.tsx"),
    rail: { label: ({ templates }) => templates.title, key: "t", icon: "templates" },
  },
  {
    path: "/templates/new",
    load: () => import("./screens/templates/new-template-screen.tsx"),
    role: "editor",
  },
  { path: "/templates/:id", load: () => import("./screens/template/template-screen.tsx") },
  {
    path: "/forms",
    load: () => import("./screens/forms/forms-screen.tsx"),
    rail: { label: ({ forms }) => forms.title, key: "f", icon: "forms" },
  },
  { path: "/forms/:id", load: () => import("./screens/forms/form-screen.tsx") },
  { path: "/first-steps", load: () => import("./screens/first-steps/first-steps-screen.tsx") },
  {
    path: "/activity",
    load: () => import("./screens/activity/activity-screen.tsx"),
    rail: { label: ({ activity }) => activity.title, key: "y", icon: "activity" },
  },
  {
    path: "/settings/:section?",
    load: () => import("./screens/settings/settings-screen.tsx"),
    rail: { label: ({ settings }) => settings.title, key: "s", icon: "settings", href: "/settings" },
  },
];
