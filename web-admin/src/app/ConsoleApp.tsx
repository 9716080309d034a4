import { type ComponentType, useMemo } from "react";
import { Admin, Resource } from "react-admin";
import { createBrowserRouter, Route, RouterProvider, ScrollRestoration } from "react-router-dom";
import { CONSOLE_BASE } from "../config/paths.ts";
import { ConsoleLayout } from "../layout/ConsoleLayout.tsx";
import { CrashPage, NoAccessPage, NotFoundPage } from "../layout/ErrorPages.tsx";
import { Notices } from "../layout/Notices.tsx";
import { sections } from "../layout/sections.ts";
import { IdleContext } from "../session/IdleGuard.tsx";
import { SignInPage } from "../session/SignInPage.tsx";
import { ChangesContext } from "../shared/changes-context.ts";
import { lazyExport } from "../shared/later.ts";
import { FullPageLoading } from "../shared/states.tsx";
import { theme } from "../shared/theme.ts";
import { consoleStore } from "./console-store.ts";
import type { ConsoleParts } from "./open-console.ts";
import { StartPage } from "./StartPage.tsx";

const ContentList = lazyExport("ContentList", () => import("../content/ContentList.tsx"));
const ContentPage = lazyExport("ContentPage", () => import("../content/ContentPage.tsx"));
const DeletionList = lazyExport("DeletionList", () => import("../deletions/DeletionList.tsx"));
const DocumentList = lazyExport("DocumentList", () => import("../documents/DocumentList.tsx"));
const ReportEdit = lazyExport("ReportEdit", () => import("../reports/ReportEdit.tsx"));
const ReportHistory = lazyExport("ReportHistory", () => import("../reports/ReportHistory.tsx"));
const InquiryList = lazyExport("InquiryList", () => import("../inquiries/InquiryList.tsx"));
const InquiryShow = lazyExport("InquiryShow", () => import("../inquiries/InquiryShow.tsx"));
const NoticeList = lazyExport("NoticeList", () => import("../notices/NoticeList.tsx"));
const NoticeMaterial = lazyExport("NoticeMaterial", () => import("../notices/NoticeList.tsx"));
const NoticeShow = lazyExport("NoticeShow", () => import("../notices/NoticeShow.tsx"));
const NewContent = lazyExport("NewContent", () => import("../content/ContentPage.tsx"));
const ReportList = lazyExport("ReportList", () => import("../reports/ReportList.tsx"));
const ReportShow = lazyExport("ReportShow", () => import("../reports/ReportShow.tsx"));
const TemplateList = lazyExport("TemplateList", () => import("../templates/TemplateList.tsx"));
const TemplatePage = lazyExport("TemplatePage", () => import("../templates/TemplatePage.tsx"));
const TestPage = lazyExport("TestPage", () => import("../system/TestPage.tsx"));
const SystemPage = lazyExport("SystemPage", () => import("./SystemPage.tsx"));
const UserList = lazyExport("UserList", () => import("../users/UserList.tsx"));
const UserShow = lazyExport("UserShow", () => import("../users/UserShow.tsx"));

/** Each resource with its list page and its other pages by subpath. */
const RESOURCES: readonly (readonly [
  name: string,
  list: ComponentType,
  pages?: Readonly<Record<string, ComponentType>>,
])[] = [
  ...sections.flatMap(({ path, list }) => (list ? [[path.slice(1), list] as const] : [])),
  [
    "reports",
    ReportList,
    {
      deleted: DeletionList,
      ":id": ReportShow,
      ":id/edit": ReportEdit,
      ":id/history": ReportHistory,
    },
  ],
  ["users", UserList, { ":id": UserShow }],
  ["documents", DocumentList, { notices: NoticeMaterial }],
  ["inquiries", InquiryList, { ":id": InquiryShow }],
  ["notices", NoticeList, { ":id": NoticeShow }],
  ["content", ContentList, { new: NewContent, ":id": ContentPage }],
  ["templates", TemplateList, { ":kind/:id": TemplatePage }],
  ["system", SystemPage],
  ["test", TestPage],
];

/** The whole console, served under /admin. */
export function ConsoleApp(parts: ConsoleParts) {
  const router = useMemo(
    () =>
      createBrowserRouter([{ path: "*", element: <ConsoleAdmin {...parts} /> }], {
        basename: CONSOLE_BASE,
      }),
    [parts],
  );
  // On sign-out, react-admin clears its queries right after it navigates. As a transition, the navigation would wait
  // for the renders that the clearing causes, and each of those signs out again.
  return (
    <ChangesContext value={parts.news}>
      <RouterProvider router={router} useTransitions={false} />
    </ChangesContext>
  );
}

function ConsoleAdmin({ authProvider, dataProvider, idle }: ConsoleParts) {
  const store = useMemo(() => consoleStore(dataProvider), [dataProvider]);
  return (
    <IdleContext value={idle}>
      <ScrollRestoration />
      <Admin
        authProvider={authProvider}
        dataProvider={dataProvider}
        store={store}
        theme={theme}
        darkTheme={null}
        dashboard={StartPage}
        layout={ConsoleLayout}
        loginPage={SignInPage}
        loading={FullPageLoading}
        catchAll={NotFoundPage}
        accessDenied={NoAccessPage}
        authenticationError={NoAccessPage}
        error={CrashPage}
        notification={Notices}
        requireAuth
        disableTelemetry
      >
        {RESOURCES.map(([name, list, pages = {}]) => (
          <Resource key={name} name={name} list={list}>
            {Object.entries(pages).map(([path, Page]) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route path=":id/*" element={<NotFoundPage />} />
          </Resource>
        ))}
      </Admin>
    </IdleContext>
  );
}
