/**
 * A list that is being removed has this before its id, until its members are removed too. So nobody finds it by its id,
 * and nothing can be put on it. Who finds lists in another way leaves it out.
 */
export const HIDDEN = "removed:";

export const isShown = (id: string): string => `NOT starts_with(${id}, '${HIDDEN}')`;

/** The id that the list had: a person's timeline shows it for as long as the membership is there. */
export const ownId = (id: string): string =>
  `CASE WHEN ${isShown(id)} THEN ${id} ELSE substr(${id}, ${HIDDEN.length + 1}) END`;
