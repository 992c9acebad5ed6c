/** The columns of a message that say when it was opened or clicked for the first time, by whom. */
export const OF_PERSON = { open: "opened", click: "clicked" } as const;
export const OF_MACHINE = { open: "machine_opened", click: "machine_clicked" } as const;
