import ArticleIcon from "@mui/icons-material/Article";
import BarChartIcon from "@mui/icons-material/BarChart";
import DashboardIcon from "@mui/icons-material/Dashboard";
import FolderIcon from "@mui/icons-material/FolderOutlined";
import GavelIcon from "@mui/icons-material/GavelOutlined";
import HistoryIcon from "@mui/icons-material/History";
import ListAltIcon from "@mui/icons-material/ListAlt";
import MailIcon from "@mui/icons-material/MailOutlined";
import InboxIcon from "@mui/icons-material/MoveToInbox";
import PaymentsIcon from "@mui/icons-material/PaymentsOutlined";
import PeopleIcon from "@mui/icons-material/PeopleOutlined";
import QuestionIcon from "@mui/icons-material/QuestionAnswerOutlined";
import SentIcon from "@mui/icons-material/SendOutlined";
import SettingsIcon from "@mui/icons-material/SettingsOutlined";
import TuneIcon from "@mui/icons-material/Tune";
import VerifiedIcon from "@mui/icons-material/Verified";
import type { SvgIcon } from "@mui/material";
import type { ComponentType } from "react";
import type { Role } from "#contracts/http/account.ts";
import type { WorkList } from "#contracts/notification/notification-kinds.ts";
import { paths } from "../config/paths.ts";
import { lazyExport } from "../shared/later.ts";

const Analytics = lazyExport("Analytics", () => import("../analytics/Analytics.tsx"));
const AuditLogList = lazyExport("AuditLogList", () => import("../audit/AuditLogList.tsx"));
const MailList = lazyExport("MailList", () => import("../mails/MailList.tsx"));
const PaymentList = lazyExport("PaymentList", () => import("../payments/PaymentList.tsx"));
const QueuePage = lazyExport("QueuePage", () => import("../queue/QueuePage.tsx"));
const ResolutionList = lazyExport(
  "ResolutionList",
  () => import("../resolutions/ResolutionList.tsx"),
);
const SettingsPage = lazyExport("SettingsPage", () => import("../settings/SettingsPage.tsx"));

export interface Section {
  readonly path: string;
  readonly link: string;
  readonly title: string;
  readonly icon: typeof SvgIcon;
  /** Its only page. Sections with several pages, or in the main bundle, are in `ConsoleApp.tsx`. */
  readonly list?: ComponentType;
  readonly work?: WorkList;
  readonly roles: readonly Role[];
}

const ADMINS: readonly Role[] = ["admin"];

type Row = readonly [path: string, link: string, title: string, icon: typeof SvgIcon];
const section = (row: Row, more: Partial<Section> = {}): Section => {
  const [path, link, title, icon] = row;
  return { path, link, title, icon, roles: ADMINS, ...more };
};
const counted = (row: Row, work: WorkList, list?: ComponentType) =>
  section(row, { work, ...(list && { list }) });

/** The sidebar from top to bottom. The first group has no name. */
// biome-ignore format: one row a section
export const sectionGroups: readonly {
  readonly title?: string;
  readonly sections: readonly Section[];
}[] = [
  { sections: [section([paths.dashboard, "Dashboard", "Admin Dashboard", DashboardIcon])] },
  {
    title: "Moderation",
    sections: [
      counted([paths.queue, "Queue", "Moderation Queue", InboxIcon], "queue", QueuePage),
      section([paths.reports, "Reports", "Reports Management", ListAltIcon]),
      counted([paths.resolutions, "RESOLVED requests", "RESOLVED Requests", VerifiedIcon], "resolutions", ResolutionList),
      counted([paths.notices, "Notices", "DMCA Notices", GavelIcon], "notices"),
    ],
  },
  {
    title: "People",
    sections: [
      section([paths.users, "Users", "Users", PeopleIcon]),
      counted([paths.inquiries, "Inquiries", "Inquiries", QuestionIcon], "inquiries"),
      counted([paths.mails, "Emails", "Emails", SentIcon], "mails", MailList),
    ],
  },
  {
    title: "Insights",
    sections: [
      section([paths.analytics, "Analytics", "Analytics", BarChartIcon], { list: Analytics }),
      section([paths.auditLogs, "Audit logs", "Audit Logs", HistoryIcon], { list: AuditLogList, roles: ["admin", "auditor"] }),
    ],
  },
  {
    title: "Content",
    sections: [
      section([paths.content, "Content", "Content Management", ArticleIcon]),
      section([paths.templates, "Email Templates", "Email Templates", MailIcon]),
      section([paths.documents, "Documents", "Documents", FolderIcon]),
    ],
  },
  {
    title: "System",
    sections: [
      section([paths.system, "System", "System Management", SettingsIcon]),
      section([paths.settings, "Settings", "Settings", TuneIcon], { list: SettingsPage }),
      section([paths.payments, "Payments", "Payments", PaymentsIcon], { list: PaymentList }),
    ],
  },
];

/** All sections of the console. */
export const sections = sectionGroups.flatMap((group) => group.sections);

/** Pages that are only linked from other pages. The search finds them too. */
const furtherPages: readonly Omit<Section, "icon">[] = [
  { path: paths.test, link: "Connectivity test", title: "Connectivity Test", roles: ADMINS },
];

/** Returns the pages that the search finds for this role. */
export function searchedPages(role: Role): readonly Omit<Section, "icon">[] {
  return [...sections, ...furtherPages].filter(({ roles }) => roles.includes(role));
}

/**
 * Returns the section that a path belongs to, for this role. The connectivity test belongs to System. Auditors have
 * no list of reports, so for them a report's history belongs to the audit log.
 */
export function sectionFor(role: Role | undefined, address: string): Section | undefined {
  // Same as the router's comparison.
  const pathname = address.toLowerCase();
  const place = pathname === paths.test ? paths.system : pathname;
  const found = sections.find(({ path }) => place === path || place.startsWith(`${path}/`));
  if (!found || !role || found.roles.includes(role)) return found;
  const isHistory = pathname.startsWith(`${paths.reports}/`) && pathname.endsWith("/history");
  return isHistory ? sections.find(({ roles }) => roles.includes(role)) : undefined;
}

/** Whether a page belongs to a section that this role has no access to. The start page redirects each role. */
export function isClosedTo(role: Role, pathname: string): boolean {
  if (pathname === paths.dashboard) return false;
  return sectionFor("admin", pathname) !== undefined && sectionFor(role, pathname) === undefined;
}
