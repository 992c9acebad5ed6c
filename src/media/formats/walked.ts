/** What a format's walk finds. `end`: where the image ends. Null: it is damaged or cut off. */
export type Walked = { readonly width: number; readonly height: number; readonly end: number } | null;

/** No program writes so many parts. A file of nothing but parts would hold the event loop. */
export const PARTS_MAX = 20_000;
