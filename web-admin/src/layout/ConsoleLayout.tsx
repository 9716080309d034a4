import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button, { type ButtonProps } from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import {
  AppBar,
  Sidebar,
  usePermissions,
  useRefresh,
  useSidebarState,
  useStore,
} from "react-admin";
import { Link as RouterLink, useLocation } from "react-router-dom";
import type { Role } from "#contracts/http/account.ts";
import { color } from "#theme/color.ts";
import { paths } from "../config/paths.ts";
import { clearStale, factorNeeded, proofAsked, useStale } from "../data/observed.ts";
import { SearchButton } from "../search/SearchButton.tsx";
import { IdleGuard } from "../session/IdleGuard.tsx";
import { lazyExport } from "../shared/later.ts";
import { compactText, PageHeading } from "../shared/page.tsx";
import { FullPageLoading } from "../shared/states.tsx";
import { HEADER_HEIGHT } from "../shared/theme.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { NoAccessPage, NotForUsersPage } from "./ErrorPages.tsx";
import { LiveChanges } from "./LiveChanges.tsx";
import { NotificationBell } from "./NotificationBell.tsx";
import { SamplesNotice } from "./SamplesNotice.tsx";
import { SectionMenu } from "./SectionMenu.tsx";
import { isClosedTo, searchedPages, sectionFor } from "./sections.ts";

const ProofDialog = lazyExport("ProofDialog", () => import("../shared/AskDialog.tsx"));

/** Page layout with sidebar and header. */
export function ConsoleLayout({ children }: { children: ReactNode }) {
  const { permissions: role, isPending } = usePermissions<Role>();
  const { pathname } = useLocation();
  const isOpen = useRoom();
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
      <Sidebar
        appBarAlwaysOn
        open={isOpen}
        sx={{
          height: "auto",
          "& .MuiPaper-root": {
            bgcolor: "background.paper",
            borderRight: `1px solid ${color.line}`,
          },
          "& .RaSidebar-fixed": { height: "100vh" },
        }}
      >
        <SectionMenu role={role} />
      </Sidebar>
      <Box sx={{ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" }}>
        <Header role={role} />
        {role && <SamplesNotice />}
        {role && <IdleGuard />}
        {role && <LiveChanges />}
        <ProofQuestion />
        <Box
          component="main"
          id="main"
          tabIndex={-1}
          sx={{ flex: 1, p: 2, outline: "none", minWidth: 0 }}
        >
          <FactorNotice />
          <StaleNotice />
          {/* Prevents pages from requesting data that the role may not read. */}
          {role && isClosedTo(role, pathname) ? (
            <NoAccessPage />
          ) : (
            !isPending && <Suspense fallback={<FullPageLoading />}>{children}</Suspense>
          )}
        </Box>
      </Box>
    </Box>
  );
}

function ProofQuestion() {
  const answer = proofAsked.use();
  if (!answer) return null;
  return (
    <Suspense fallback={null}>
      <ProofDialog onAnswer={answer} />
    </Suspense>
  );
}

/** Replaces react-admin's hide-on-scroll container, so the header stays. */
const Bare = ({ children }: { readonly children: ReactNode }) => children;

function Header({ role }: { role: Role | undefined }) {
  const { pathname } = useLocation();
  const section = sectionFor(role, pathname);
  const roleName = role && (role === "admin" ? "Admin" : "Auditor");
  return (
    <AppBar
      container={Bare}
      position="sticky"
      color="transparent"
      elevation={0}
      toolbar={
        <>
          {roleName && (
            // Hidden on phones for lack of space; the account menu always shows it.
            <Chip
              variant="outlined"
              label={roleName}
              sx={{ display: { xs: "none", sm: "inline-flex" } }}
            />
          )}
          {role && <SearchButton pages={searchedPages(role)} readsRecords={role === "admin"} />}
          {role === "admin" && <NotificationBell />}
        </>
      }
      userMenu={<AccountMenu role={roleName} />}
      sx={{
        bgcolor: "background.paper",
        borderBottom: `1px solid ${color.line}`,
        "& .RaAppBar-toolbar": {
          minHeight: HEADER_HEIGHT - 1,
          px: { xs: 0.5, md: 1 },
          gap: { xs: 0.5, sm: 1 },
        },
      }}
    >
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
        {!section && (
          <Typography variant="h2" sx={compactText}>
            Console
          </Typography>
        )}
      </Box>
    </AppBar>
  );
}

function StaleNotice() {
  const stale = useStale();
  const refresh = useRefresh();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a page is what clears it
  useEffect(() => clearStale, [pathname]);
  if (!stale) return null;
  return (
    <Warning action="Refresh" onClick={refresh}>
      Recent changes may not show yet.
    </Warning>
  );
}

/**
 * Links to the account settings, a page of the site, after a call was refused because a second factor is required.
 */
function FactorNotice() {
  if (!factorNeeded.use()) return null;
  return (
    <Warning action="Set it up" href="/account-settings">
      Staff accounts need two-factor authentication. Set it up to use the console.
    </Warning>
  );
}

/** A warning above the page with an action. */
function Warning({
  action,
  children,
  ...button
}: Omit<ButtonProps, "action"> & { readonly action: string }) {
  return (
    <Alert
      severity="warning"
      role="status"
      sx={{ mb: 2 }}
      action={
        <Button color="inherit" {...button}>
          {action}
        </Button>
      }
    >
      {children}
    </Alert>
  );
}

/** Minimum window width in CSS pixels that fits the sidebar next to the page. */
const ROOMY = 1200;
const ROOMY_FOR_QUEUE = 1440;

/**
 * Collapses the sidebar when there is no room for it, and reopens it when there is.
 * @returns whether it is open; on a phone, whether it covers the page.
 */
function useRoom(): boolean {
  const [isOpen, setOpen] = useSidebarState();
  const [reopens, setReopens] = useStore("sidebar.reopens", false);
  const isQueue = useLocation().pathname.startsWith(paths.queue);
  const isTight = !useMediaQuery(`(min-width: ${isQueue ? ROOMY_FOR_QUEUE : ROOMY}px)`, {
    noSsr: true,
  });
  const settled = useRef<boolean>(undefined);
  const isSettled = settled.current === isTight;
  useLayoutEffect(() => {
    if (isSettled) return;
    settled.current = isTight;
    if (isTight && isOpen) {
      setReopens(true);
      setOpen(false);
    } else if (!isTight && reopens) {
      setReopens(false);
      setOpen(true);
    }
  });
  return isOpen && (isSettled || !isTight);
}
