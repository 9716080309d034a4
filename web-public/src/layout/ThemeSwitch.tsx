import { applyTheme, isTheme, THEMES } from "#theme/chosen-theme.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import styles from "./ThemeSwitch.module.css";

/** Lets visitors choose the page's colours. Without JavaScript the system decides. */
export function ThemeSwitch() {
  const { theme } = useSiteConfig();
  return (
    <label className={styles.theme}>
      Colors
      <select
        defaultValue={theme}
        onChange={({ currentTarget: { value } }) => isTheme(value) && applyTheme(document, value)}
      >
        {Object.entries(THEMES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
