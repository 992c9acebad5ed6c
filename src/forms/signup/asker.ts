/** Who asked, for the consent log. */
export type Asker = { readonly clientAddress: string; readonly userAgent: string | null };
