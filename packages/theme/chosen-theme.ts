/** Light, dark, or whatever the visitor's system has. */
export const THEMES = { system: "System", light: "Light", dark: "Dark" } as const;
export type Theme = keyof typeof THEMES;

/** Kept in a cookie, which the server reads, so that a page is never painted in the wrong colors first. */
const NAME = "theme";
const YEAR_SECONDS = 365 * 24 * 3600;

/** The choice in a `Cookie` header. */
export function readTheme(cookies: string | undefined): Theme {
  const values = (cookies ?? "").split(";").map((pair) => pair.trim().split("="));
  const chosen = values.find(([name]) => name === NAME)?.[1] ?? "";
  return isTheme(chosen) ? chosen : "system";
}

export function isTheme(value: string): value is Theme {
  return Object.hasOwn(THEMES, value);
}

/** The document's attribute `data-theme`. Without it the system decides. */
export function themeAttribute(theme: Theme): string | undefined {
  return theme === "system" ? undefined : theme;
}

/** Shows the page in the chosen colors, and keeps the choice for a year. */
export function applyTheme(page: Document, theme: Theme): void {
  const attribute = themeAttribute(theme);
  if (attribute) page.documentElement.dataset.theme = attribute;
  else delete page.documentElement.dataset.theme;
  const secure = page.location.protocol === "https:" ? "; Secure" : "";
  const age = attribute ? YEAR_SECONDS : 0;
  page.cookie = `${NAME}=${theme}; Path=/; SameSite=Lax; Max-Age=${age}${secure}`;
}
