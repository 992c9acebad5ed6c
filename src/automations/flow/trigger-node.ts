import type { Trigger } from "#core/trigger.ts";
import { normalizeEventName } from "#events/event-name.ts";
import type { Reenroll, TriggerMatch, TriggerStep } from "./flow-step.ts";
import {
  choiceOf,
  read,
  readerOf,
  readText,
  unreadable,
  type Data,
  type Readers,
  type Reading,
} from "#core/request/reading.ts";
import { readTag } from "./tag-text.ts";

const PATH = "data";

/**
 * Reads the data of a trigger node. Without `reenroll`, a new subscriber enters once, and the other triggers
 * let a contact enter each time. Event names are normalized like those of events, tags trimmed like those of
 * contacts.
 */
export function readTrigger(data: Data): Reading<TriggerStep> {
  const on = readMatch(data);
  if (!on.ok) return on;
  const reenroll = readReenroll(data, on.value.kind === "new_subscriber" ? "once" : "each_time");
  return reenroll.ok ? read({ on: on.value, reenroll: reenroll.value }) : reenroll;
}

const MATCH_READERS: Readers<TriggerMatch["kind"], TriggerMatch> = {
  new_subscriber: () => read({ kind: "new_subscriber" }),
  tag_added(data) {
    const tag = readTag(data, "tag", PATH);
    return tag.ok ? read({ kind: "tag_added", tag: tag.value }) : tag;
  },
  custom_event(data) {
    const eventName = readEventName(data, "eventName", PATH);
    return eventName.ok ? read({ kind: "custom_event", eventName: eventName.value }) : eventName;
  },
};

function readMatch(data: Data): Reading<TriggerMatch> {
  const reader = readerOf(MATCH_READERS, data.trigger);
  if (reader !== null) return reader(data);
  const choice = choiceOf(MATCH_READERS, (name) => `\`${name}\``);
  return unreadable(`${PATH}.trigger`, `\`trigger\` must be ${choice}.`);
}

/** A member that names an event, in its normalized form. */
export function readEventName(data: Data, member: string, path: string): Reading<string> {
  const text = readText(data, member, path);
  if (!text.ok) return text;
  const name = normalizeEventName(text.value);
  return name === ""
    ? unreadable(`${path}.${member}`, `\`${member}\` needs at least one letter or digit.`)
    : read(name);
}

function readReenroll({ reenroll }: Data, usual: Reenroll): Reading<Reenroll> {
  if (reenroll === undefined || reenroll === null) return read(usual);
  if (reenroll === "once" || reenroll === "each_time") return read(reenroll);
  return unreadable(`${PATH}.reenroll`, "`reenroll` must be `once` or `each_time`.");
}

/** Whether a trigger node waits for what happened. Tags compare exactly. */
export function matches(on: TriggerMatch, trigger: Trigger): boolean {
  switch (on.kind) {
    case "new_subscriber":
      return trigger.kind === "new_subscriber";
    case "tag_added":
      return trigger.kind === "tag_added" && trigger.tag === on.tag;
    case "custom_event":
      return trigger.kind === "custom_event" && trigger.eventName === on.eventName;
  }
}
