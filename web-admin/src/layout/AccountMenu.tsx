import Avatar from "@mui/material/Avatar";
import Box from "@mui/material/Box";
import Divider from "@mui/material/Divider";
import IconButton from "@mui/material/IconButton";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useGetIdentity, useLogout } from "react-admin";
import { color } from "#theme/color.ts";
import { colorItems } from "./color-items.tsx";

/** The account's initial, which opens a menu with its role, the colors, links to the profile and the site, and sign-out. */
export function AccountMenu({ role }: { readonly role: string | undefined }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { identity } = useGetIdentity();
  const logout = useLogout();
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        aria-label="Account menu"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ width: 44, height: 44 }}
      >
        <Avatar aria-hidden sx={{ width: 32, height: 32, fontSize: 14, bgcolor: color.primary }}>
          {identity?.initial ?? ""}
        </Avatar>
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
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
