import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { Link as RouterLink, useLocation } from "react-router-dom";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { paths } from "../config/paths.ts";

const SYSTEM = [
  [paths.system, "System"],
  [paths.settings, "Settings"],
  [paths.test, "Connectivity test"],
] as const;
const DOCUMENTS = [
  [paths.documents, "Evidence and letters"],
  [paths.noticeMaterial, "DMCA notices"],
] as const;

/** Leads between the pages about the registry itself. */
export const SystemTabs = () => <PageTabs label="System pages" pages={SYSTEM} />;

/** Leads between files of reports, and what notices are about. */
export const DocumentTabs = () => <PageTabs label="Documents" pages={DOCUMENTS} />;

function PageTabs(props: {
  readonly label: string;
  readonly pages: readonly (readonly [path: string, name: string])[];
}) {
  const { pathname } = useLocation();
  return (
    <Box component="nav" aria-label={props.label} sx={{ display: "flex", gap: 2 }}>
      {props.pages.map(([path, name]) => {
        const isHere = pathname === path;
        return (
          <Link
            key={path}
            component={RouterLink}
            to={path}
            underline="none"
            aria-current={isHere ? "page" : undefined}
            sx={{
              minHeight: size.target,
              display: "flex",
              alignItems: "center",
              fontWeight: 600,
              color: isHere ? color.primary : color.inkMuted,
              borderBottom: `2px solid ${isHere ? color.primary : "transparent"}`,
            }}
          >
            {name}
          </Link>
        );
      })}
    </Box>
  );
}
