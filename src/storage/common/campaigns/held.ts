/**
 * What holds a mailing, as bits of `mailings.held`; at 0 it is sent. `copy`: it comes from a restored copy,
 * and only a person releases it. `pause`: its campaign is paused, or its automation is not LIVE.
 */
export const HELD = { copy: 1, pause: 2 } as const;
