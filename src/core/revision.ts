/**
 * A number from a store. It changes whenever the store's keys, settings or sessions may have changed, and an old
 * number never comes back. A value read under an older number is no longer valid, so take the number before you
 * read. Asking costs almost nothing. Once a change was answered, the number is a new one: at once on the node that
 * made the change and in other processes of the same machine; on other nodes, if there are any, within a second.
 * While a store cannot hear of others' changes, it gives a new number each time. Then nothing is remembered, and
 * each request reads.
 */
export type Revision = () => number;
