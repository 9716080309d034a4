import type { SvgIconComponent } from "@mui/icons-material";
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
import type { Role } from "#contracts/http/account.ts";
import type { WorkList } from "#contracts/notification/notification-kinds.ts";
import { paths } from "../config/paths.ts";

export interface Section {
  readonly path: string;
  readonly link: string;
  readonly title: string;
  readonly icon: SvgIconComponent;
  /** The list whose open work the sidebar counts. */
  readonly work?: WorkList;
  readonly roles: readonly Role[];
}

const admins = { roles: ["admin"] } as const;

/** The sidebar from top to bottom. The first group has no name. */
export const sectionGroups: readonly {
  readonly title?: string;
  readonly sections: readonly Section[];
}[] = [
  {
    sections: [
      {
        path: paths.dashboard,
        link: "Dashboard",
        title: "Admin Dashboard",
        icon: DashboardIcon,
        ...admins,
      },
    ],
  },
  {
    title: "Moderation",
    sections: [
      {
        path: paths.queue,
        link: "Queue",
        title: "Moderation Queue",
        icon: InboxIcon,
        work: "queue",
        ...admins,
      },
      {
        path: paths.reports,
        link: "Reports",
        title: "Reports Management",
        icon: ListAltIcon,
        ...admins,
      },
      {
        path: paths.resolutions,
        link: "RESOLVED requests",
        title: "RESOLVED Requests",
        icon: VerifiedIcon,
        work: "resolutions",
        ...admins,
      },
      {
        path: paths.notices,
        link: "Notices",
        title: "DMCA Notices",
        icon: GavelIcon,
        work: "notices",
        ...admins,
      },
    ],
  },
  {
    title: "People",
    sections: [
      {
        path: paths.users,
        link: "Users",
        title: "Users",
        icon: PeopleIcon,
        ...admins,
      },
      {
        path: paths.inquiries,
        link: "Inquiries",
        title: "Inquiries",
        icon: QuestionIcon,
        work: "inquiries",
        ...admins,
      },
      {
        path: paths.mails,
        link: "Emails",
        title: "Emails",
        icon: SentIcon,
        work: "mails",
        ...admins,
      },
    ],
  },
  {
    title: "Insight",
    sections: [
      {
        path: paths.analytics,
        link: "Analytics",
        title: "Analytics",
        icon: BarChartIcon,
        ...admins,
      },
      {
        path: paths.auditLogs,
        link: "Audit logs",
        title: "Audit Logs",
        icon: HistoryIcon,
        roles: ["admin", "auditor"],
      },
    ],
  },
  {
    title: "Content",
    sections: [
      {
        path: paths.content,
        link: "Content",
        title: "Content Management",
        icon: ArticleIcon,
        ...admins,
      },
      {
        path: paths.templates,
        link: "Email Templates",
        title: "Email Templates",
        icon: MailIcon,
        ...admins,
      },
      {
        path: paths.documents,
        link: "Documents",
        title: "Documents",
        icon: FolderIcon,
        ...admins,
      },
    ],
  },
  {
    title: "System",
    sections: [
      {
        path: paths.system,
        link: "System",
        title: "System Management",
        icon: SettingsIcon,
        ...admins,
      },
      {
        path: paths.settings,
        link: "Settings",
        title: "Settings",
        icon: TuneIcon,
        ...admins,
      },
      {
        path: paths.payments,
        link: "Payments",
        title: "Payments",
        icon: PaymentsIcon,
        ...admins,
      },
    ],
  },
];

/** All sections of the console. */
export const sections = sectionGroups.flatMap((group) => group.sections);

/** Pages that only another page leads to. The search finds them too. */
const furtherPages: readonly Omit<Section, "icon">[] = [
  { path: paths.test, link: "Connectivity test", title: "Connectivity Test", ...admins },
];

/** The pages that the search finds for this role. */
export function searchedPages(role: Role): readonly Omit<Section, "icon">[] {
  return [...sections, ...furtherPages].filter(({ roles }) => roles.includes(role));
}

/**
 * The section that a path belongs to, for this role. The connectivity test belongs to the system. Auditors
 * have no list of reports, so for them a report's history belongs to the audit log.
 */
export function sectionFor(role: Role | undefined, pathname: string): Section | undefined {
  const place = pathname === paths.test ? paths.system : pathname;
  const section = sections.find(({ path }) => place === path || place.startsWith(`${path}/`));
  if (!section || !role || section.roles.includes(role)) return section;
  const isHistory = pathname.startsWith(`${paths.reports}/`) && pathname.endsWith("/history");
  return isHistory ? sections.find(({ roles }) => roles.includes(role)) : undefined;
}

/** Whether a page belongs to a section that this role may not open. The first page leads each role on. */
export function isClosedTo(role: Role, pathname: string): boolean {
  if (pathname === paths.dashboard) return false;
  return sectionFor("admin", pathname) !== undefined && sectionFor(role, pathname) === undefined;
}
