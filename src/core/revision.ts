/**
 * A number that a store gives. It changes whenever what it stands for (keys, settings, sessions) may have
 * changed, and never comes back. What was read under an older number is no longer valid, so the number is
 * taken before the reading. Asking costs almost nothing.
 *
 * After a change was answered, the next number is a new one: at once on the node that made the change. Other
 * processes of the same machine see it at once too; other nodes, where there are any, within a second. A
 * store that does not hear of others' changes for the moment gives a new number each time it is asked: then
 * nothing is remembered, and each request reads for itself.
 */
export type Revision = () => number;
