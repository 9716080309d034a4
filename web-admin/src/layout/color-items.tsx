import CheckIcon from "@mui/icons-material/Check";
import ListItemIcon from "@mui/material/ListItemIcon";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { applyTheme, isTheme, THEMES } from "#theme/chosen-theme.ts";

/**
 * The items of a menu that choose the console's colors, under their heading. The choice is the site's, too, and the
 * browser keeps it. Items, and not a component: the keys of a menu pass over what is nested.
 * @param onChosen closes the menu.
 */
export function colorItems(onChosen: () => void): ReactNode[] {
  const shown = document.documentElement.dataset.theme ?? "system";
  return [
    <Typography
      key="colors"
      component="li"
      role="presentation"
      color="textSecondary"
      sx={{ px: 2, pt: 1 }}
    >
      Colors
    </Typography>,
    ...Object.entries(THEMES).map(([theme, words]) => (
      <MenuItem
        key={theme}
        role="menuitemradio"
        aria-checked={theme === shown}
        aria-label={`Colors: ${words}`}
        onClick={() => {
          if (isTheme(theme)) applyTheme(document, theme);
          onChosen();
        }}
      >
        <ListItemIcon>{theme === shown && <CheckIcon fontSize="small" />}</ListItemIcon>
        {words}
      </MenuItem>
    )),
  ];
}
