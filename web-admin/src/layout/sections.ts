import type { SvgIconComponent } from "@mui/icons-material";
import HistoryIcon from "@mui/icons-material/History";
import ListAltIcon from "@mui/icons-material/ListAlt";
import type { Role } from "#contracts/http/auth.ts";
import { paths } from "../app/paths.ts";

export interface Section {
  readonly path: string;
  readonly link: string;
  readonly title: string;
  readonly icon: SvgIconComponent;
  readonly roles: readonly Role[];
}

/** The sections that exist; a section that is not built is not linked. */
export const sections: readonly Section[] = [
  {
    path: paths.reports,
    link: "Reports",
    title: "Reports Management",
    icon: ListAltIcon,
    roles: ["admin"],
  },
  {
    path: paths.auditLogs,
    link: "Audit logs",
    title: "Audit Logs",
    icon: HistoryIcon,
    roles: ["admin", "auditor"],
  },
];

/** The section that a path lies in. */
export function sectionOf(pathname: string): Section | undefined {
  return sections.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
}
