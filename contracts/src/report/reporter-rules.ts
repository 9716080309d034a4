/** How often the address of one report can be corrected before it is confirmed. */
export const MOST_CORRECTIONS = 3;
