/** Light, dark, or the system's setting. */
export const THEMES = { system: "System", light: "Light", dark: "Dark" } as const;
export type Theme = keyof typeof THEMES;

/** Stored in a cookie, so that the server can render the right colors from the first paint. */
const NAME = "theme";
const YEAR_SECONDS = 365 * 24 * 3600;

/** Reads the choice from a `Cookie` header. */
export function readTheme(cookies: string | undefined): Theme {
  const values = (cookies ?? "").split(";").map((pair) => pair.trim().split("="));
  const chosen = values.find(([name]) => name === NAME)?.[1] ?? "";
  return isTheme(chosen) ? chosen : "system";
}

export function isTheme(value: string): value is Theme {
  return Object.hasOwn(THEMES, value);
}

/** Value of the document's `data-theme` attribute; undefined if the system decides. */
export function themeAttribute(theme: Theme): string | undefined {
  return theme === "system" ? undefined : theme;
}

/** Applies the theme to the page and remembers it for a year. */
export function applyTheme(page: Document, theme: Theme): void {
  const attribute = themeAttribute(theme);
  if (attribute) page.documentElement.dataset.theme = attribute;
  else delete page.documentElement.dataset.theme;
  const secure = page.location.protocol === "https:" ? "; Secure" : "";
  const age = attribute ? YEAR_SECONDS : 0;
  page.cookie = `${NAME}=${theme}; Path=/; SameSite=Lax; Max-Age=${age}${secure}`;
}
