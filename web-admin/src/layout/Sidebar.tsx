import Box from "@mui/material/Box";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Typography from "@mui/material/Typography";
import { Link as RouterLink, useLocation } from "react-router-dom";
import type { Role } from "#contracts/http/account.ts";
import { color } from "#theme/color.ts";
import { radius, size } from "#theme/tokens.ts";
import { productName } from "../config/product.ts";
import { sectionFor, sections } from "./sections.ts";

export interface SidebarProps {
  readonly role: Role | undefined;
  /** Called when a link is followed, so that a drawer can close. */
  readonly onFollow?: () => void;
}

/** The sections that the account may open. */
export function Sidebar({ role, onFollow }: SidebarProps) {
  const current = sectionFor(role, useLocation().pathname);
  return (
    <Box component="nav" aria-label="Sections" sx={{ p: 2 }}>
      <Typography component="p" sx={{ px: 1, color: "primary.main", fontWeight: 600 }}>
        {productName}
      </Typography>
      <Typography component="p" color="textSecondary" sx={{ px: 1, mb: 2 }}>
        Console
      </Typography>
      <List disablePadding>
        {sections
          .filter((section) => role && section.roles.includes(role))
          .map(({ path, link, icon: Icon }) => (
            <ListItem key={path} disablePadding sx={{ mb: 0.5 }}>
              <ListItemButton
                component={RouterLink}
                to={path}
                selected={current?.path === path}
                aria-current={current?.path === path ? "page" : undefined}
                onClick={onFollow}
                sx={{
                  minHeight: size.target,
                  borderRadius: `${radius.small}px`,
                  px: 1,
                  "&.Mui-selected": { color: color.primary, bgcolor: color.primaryTint },
                }}
              >
                <ListItemIcon sx={{ minWidth: 36, color: "inherit" }}>
                  <Icon fontSize="small" />
                </ListItemIcon>
                <ListItemText primary={link} slotProps={{ primary: { sx: { fontWeight: 600 } } }} />
              </ListItemButton>
            </ListItem>
          ))}
      </List>
    </Box>
  );
}
