/** The most of a template, in characters. */
export const TEMPLATE_BOUNDS = { name: 100, subject: 300, body: 100_000 } as const;
/** Templates of one kind that are not deleted, the shipped one apart. */
export const MOST_TEMPLATES = 20;
