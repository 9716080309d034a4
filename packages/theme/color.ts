import { colorPropertyName, color as lightColor } from "./tokens.ts";

/**
 * The colours by the names of `tokens.ts`, each as a reference to its custom property: `var(--color-ink)`. What is
 * styled with these is light or dark as the document is, and changes with it.
 */
export const color = Object.fromEntries(
  Object.keys(lightColor).map((name) => [name, `var(${colorPropertyName(name)})`]),
) as Readonly<Record<keyof typeof lightColor, string>>;
