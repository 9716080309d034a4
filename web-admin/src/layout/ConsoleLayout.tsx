import MenuIcon from "@mui/icons-material/Menu";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Drawer from "@mui/material/Drawer";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { usePermissions, useRefresh } from "react-admin";
import { Link as RouterLink, useLocation } from "react-router-dom";
import type { Role } from "#contracts/http/account.ts";
import { color } from "#theme/color.ts";
import { clearStale, useStale } from "../data/staleness.ts";
import { SearchButton } from "../search/SearchButton.tsx";
import { IdleGuard } from "../session/IdleGuard.tsx";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { compactText, PageHeading } from "../shared/PageHeading.tsx";
import { HEADER_HEIGHT, SIDEBAR_WIDTH } from "../shared/theme.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { NoAccessPage, NotForUsersPage } from "./ErrorPages.tsx";
import { FactorNotice } from "./FactorNotice.tsx";
import { LiveChanges } from "./LiveChanges.tsx";
import { NotificationBell } from "./NotificationBell.tsx";
import { SamplesNotice } from "./SamplesNotice.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { isClosedTo, searchedPages, sectionFor } from "./sections.ts";

/** Sidebar and header around the page. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  const { permissions: role } = usePermissions<Role>();
  const { pathname } = useLocation();
  const [drawerOpen, setDrawerOpen] = useState(false);
  if (role === "user") return <NotForUsersPage />;
  return (
    <Box sx={{ display: "flex", minHeight: "100vh", bgcolor: "background.default" }}>
      <Link
        href="#main"
        sx={{
          position: "absolute",
          left: -9999,
          zIndex: 2000,
          p: 1.5,
          bgcolor: "background.paper",
          "&:focus": { left: 8, top: 8 },
        }}
      >
        Skip to content
      </Link>
      <Drawer
        variant="permanent"
        sx={{ display: { xs: "none", lg: "block" }, width: SIDEBAR_WIDTH, flexShrink: 0 }}
        slotProps={{ paper: { sx: { width: SIDEBAR_WIDTH } } }}
      >
        <Sidebar role={role} />
      </Drawer>
      <Drawer
        open={drawerOpen}
        onClose={() => setDrawerOpen(false)}
        sx={{ display: { lg: "none" } }}
        slotProps={{ paper: { sx: { width: SIDEBAR_WIDTH, maxWidth: "85vw" } } }}
      >
        <Sidebar role={role} onFollow={() => setDrawerOpen(false)} />
      </Drawer>
      <Box sx={{ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" }}>
        <Header role={role} onMenu={() => setDrawerOpen(true)} />
        {role && <SamplesNotice />}
        {role && <IdleGuard />}
        {role && <LiveChanges />}
        <Box
          component="main"
          id="main"
          tabIndex={-1}
          sx={{ flex: 1, p: 2, outline: "none", minWidth: 0 }}
        >
          <FactorNotice />
          <StaleNotice />
          {role && isClosedTo(role, pathname) ? (
            <NoAccessPage />
          ) : (
            <Suspense fallback={<FullPageLoading />}>{children}</Suspense>
          )}
        </Box>
      </Box>
    </Box>
  );
}

function Header({ role, onMenu }: { role: Role | undefined; onMenu: () => void }) {
  const { pathname } = useLocation();
  const section = sectionFor(role, pathname);
  const roleName = role && (role === "admin" ? "Admin" : "Auditor");
  return (
    <Box
      component="header"
      sx={{
        position: "sticky",
        top: 0,
        zIndex: "appBar",
        height: HEADER_HEIGHT,
        px: { xs: 1, md: 2 },
        display: "flex",
        alignItems: "center",
        gap: { xs: 0.5, sm: 1 },
        bgcolor: "background.paper",
        borderBottom: `1px solid ${color.line}`,
      }}
    >
      <IconButton
        aria-label="Menu"
        onClick={onMenu}
        sx={{ width: 44, height: 44, display: { lg: "none" } }}
      >
        <MenuIcon />
      </IconButton>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        {section && pathname === section.path && (
          <PageHeading key={section.path} title={section.title} compact>
            {section.title}
          </PageHeading>
        )}
        {section && pathname !== section.path && (
          <Link
            component={RouterLink}
            to={section.path}
            variant="h2"
            underline="hover"
            sx={{ ...compactText, display: "inline-flex", alignItems: "center", minHeight: 44 }}
          >
            {section.title}
          </Link>
        )}
        {!section && <Typography variant="h2">Console</Typography>}
      </Box>
      {roleName && (
        // A phone has no room for it; the account's menu says it everywhere.
        <Chip
          variant="outlined"
          label={roleName}
          sx={{ display: { xs: "none", sm: "inline-flex" } }}
        />
      )}
      {role && <SearchButton pages={searchedPages(role)} readsRecords={role === "admin"} />}
      {role === "admin" && <NotificationBell />}
      <AccountMenu role={roleName} />
    </Box>
  );
}

/** Shows a notice when a read did not yet include what this session has written. */
function StaleNotice() {
  const stale = useStale();
  const refresh = useRefresh();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a page is what clears it
  useEffect(() => clearStale, [pathname]);
  if (!stale) return null;
  return (
    <Alert
      severity="warning"
      role="status"
      sx={{ mb: 2 }}
      action={
        <Button color="inherit" onClick={refresh}>
          Refresh
        </Button>
      }
    >
      What you see may be a moment old: some changes are still on their way.
    </Alert>
  );
}
