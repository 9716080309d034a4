import CheckIcon from "@mui/icons-material/Check";
import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Divider from "@mui/material/Divider";
import IconButton from "@mui/material/IconButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { useGetIdentity, useLogout } from "react-admin";
import { applyTheme, isTheme, THEMES } from "#theme/chosen-theme.ts";
import { color } from "#theme/color.ts";
import { useAnchor } from "../shared/use-anchor.ts";

/**
 * The account's initial, with a menu for its role, the color theme, links to the profile and the site, and sign-out.
 */
export function AccountMenu({ role }: { readonly role: string | undefined }) {
  const { button, below, close } = useAnchor("menu");
  const { identity } = useGetIdentity();
  const logout = useLogout();
  return (
    <>
      <IconButton aria-label="Account menu" sx={{ width: 44, height: 44 }} {...button}>
        <Avatar aria-hidden sx={{ width: 32, height: 32, fontSize: 14, bgcolor: color.primary }}>
          {identity?.initial ?? ""}
        </Avatar>
      </IconButton>
      <Menu {...below}>
        <Box sx={{ px: 2, py: 1, maxWidth: 280 }}>
          <Typography variant="subtitle2" noWrap>
            {identity?.fullName}
          </Typography>
          <Typography color="textSecondary" noWrap>
            {identity?.email}
          </Typography>
          {role && <Typography color="textSecondary">{role}</Typography>}
        </Box>
        <Divider />
        {colorItems(close)}
        <Divider />
        <MenuItem component="a" href="/profile">
          Profile
        </MenuItem>
        <MenuItem component="a" href="/">
          Main Site
        </MenuItem>
        <MenuItem onClick={() => void logout(undefined, undefined, false)}>Logout</MenuItem>
      </Menu>
    </>
  );
}

/**
 * The menu items for the color theme, under their heading. The choice also applies to the public site and is kept in
 * the browser. An array rather than a component, because a menu's keyboard navigation skips nested items.
 * @param onChosen closes the menu.
 */
function colorItems(onChosen: () => void): ReactNode[] {
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
