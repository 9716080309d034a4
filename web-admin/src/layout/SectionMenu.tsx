import Badge from "@mui/material/Badge";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { Menu, useSidebarState } from "react-admin";
import { useLocation } from "react-router-dom";
import type { Role } from "#contracts/http/account.ts";
import type { OpenWork } from "#contracts/http/sessions.ts";
import { color } from "#theme/color.ts";
import { radius, size } from "#theme/tokens.ts";
import { formatCount } from "../shared/formats.ts";
import { productName } from "../shared/page.tsx";
import { useNotifications } from "../shared/reads.ts";
import { HEADER_HEIGHT } from "../shared/theme.ts";
import { visuallyHidden } from "../shared/visually-hidden.ts";
import { type Section, sectionFor, sectionGroups } from "./sections.ts";

/** The sections that the account has access to, with their open work. */
export function SectionMenu({ role }: { readonly role: Role | undefined }) {
  const [isOpen] = useSidebarState();
  const groups = sectionGroups.map((group) => ({
    ...group,
    sections: group.sections.filter(({ roles }) => role && roles.includes(role)),
  }));
  return (
    <Menu component="nav" role="navigation" aria-label="Sections" variant="menu" sx={{ p: 0 }}>
      <Typography
        component="p"
        noWrap
        sx={{ px: 2, lineHeight: `${HEADER_HEIGHT}px`, color: "primary.main", fontWeight: 600 }}
      >
        {isOpen ? productName() : productName().slice(0, 1)}
      </Typography>
      {groups
        .filter(({ sections }) => sections.length > 0)
        .map(({ title = "Start", sections }) => (
          <Box key={title} sx={{ pb: 1 }}>
            {title !== "Start" && (
              <Typography
                component="p"
                color="textSecondary"
                noWrap
                aria-hidden={!isOpen}
                sx={{
                  px: 2,
                  py: isOpen ? 0.5 : 0,
                  height: isOpen ? "auto" : 8,
                  opacity: isOpen ? 1 : 0,
                }}
              >
                {title}
              </Typography>
            )}
            <Box component="ul" aria-label={title}>
              {sections.map((section) => (
                <li key={section.path}>
                  <SectionLink section={section} role={role} />
                </li>
              ))}
            </Box>
          </Box>
        ))}
    </Menu>
  );
}

function SectionLink(props: { readonly section: Section; readonly role: Role | undefined }) {
  const { section, role } = props;
  const { path, link, icon: Icon } = section;
  const { data } = useNotifications(role === "admin");
  const work = section.work && data?.work[section.work];
  const isCurrent = sectionFor(role, useLocation().pathname)?.path === path;
  const [isOpen] = useSidebarState();
  const isLate = work !== undefined && work.late > 0;
  return (
    <Menu.Item
      to={path}
      role="link"
      primaryText={link}
      aria-current={isCurrent ? "page" : undefined}
      leftIcon={
        <Badge variant="dot" color="error" invisible={isOpen || !isLate}>
          <Icon fontSize="small" />
        </Badge>
      }
      sx={{
        minHeight: { xs: size.target, sm: 32 },
        mx: 1,
        px: 1.25,
        py: 0,
        borderRadius: `${radius.small}px`,
        color: color.ink,
        "& .RaMenuItemLink-icon": { minWidth: 32, color: "inherit" },
        ...(isCurrent
          ? { "&, &:hover": { color: color.primary, bgcolor: color.primaryTint, fontWeight: 600 } }
          : {}),
      }}
    >
      <Box component="span" sx={{ display: "flex", gap: 1, alignItems: "center" }}>
        <Box component="span" sx={{ flex: 1 }}>
          {link}
        </Box>
        {work && work.count > 0 && <Count work={work} />}
      </Box>
    </Menu.Item>
  );
}

function Count({ work: { count, late } }: { readonly work: OpenWork }) {
  return (
    <Box
      component="span"
      title={late > 0 ? `${formatCount(late)} late` : undefined}
      sx={{
        px: 0.75,
        borderRadius: "10px",
        ...(late > 0
          ? { bgcolor: "error.main", color: color.inkInverse, fontWeight: 600 }
          : { color: color.inkMuted }),
      }}
    >
      {formatCount(count)}
      {late > 0 && (
        <Box component="span" sx={visuallyHidden}>
          , {formatCount(late)} late
        </Box>
      )}
    </Box>
  );
}
