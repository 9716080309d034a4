import { colorPropertyName, color as lightColor } from "./tokens.ts";

/** The colors of `tokens.ts` as custom properties, such as `var(--color-ink)`, which follow light and dark mode. */
export const color = Object.fromEntries(
  Object.keys(lightColor).map((name) => [name, `var(${colorPropertyName(name)})`]),
) as Readonly<Record<keyof typeof lightColor, string>>;
