/** What a format's walk finds. `end`: where the image ends. Null: it is damaged or cut off. */
export type Walked = { readonly width: number; readonly height: number; readonly end: number } | null;

/** No program makes so many parts; a file of nothing else would keep everybody waiting. */
export const PARTS_MAX = 20_000;
