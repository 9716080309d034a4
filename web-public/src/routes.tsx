import type { ComponentType } from "react";
import type { RouteObject } from "react-router-dom";
import type { LoaderArgs } from "./api/client.ts";
import type * as AccountPages from "./features/account/pages.ts";
import { legalLoader } from "./features/content/legal.loader.ts";
import { ErrorPage } from "./features/errors/ErrorPage.tsx";
import { notFound } from "./features/errors/page-problem.ts";
import { faqLoader } from "./features/faq/faq.loader.ts";
import { homeLoader } from "./features/home/home.loader.ts";
import type * as InquiryPages from "./features/inquiry/pages.ts";
import { reportDetailLoader } from "./features/report-detail/report-detail.loader.ts";
import { searchLoader } from "./features/search/search.loader.ts";
import { SiteLayout } from "./layout/SiteLayout.tsx";

/** Path of a lazy page's module, relative to the site's folder. */
export interface PageHandle {
  readonly module: string;
  /** The page contains something for this one visit, so browsers must not cache it. */
  readonly once?: true;
}

/**
 * A page in its own module, with the loader and action that the module exports.
 * @param file of the module that `load` imports.
 */
function page(
  path: string,
  file: string,
  load: () => Promise<Pick<RouteObject, "action" | "loader"> & { Component: ComponentType }>,
  { once, loader }: Pick<PageHandle, "once"> & Pick<RouteObject, "loader"> = {},
): RouteObject {
  const handle: PageHandle = { module: `src/features/${file}`, ...(once ? { once } : {}) };
  return {
    ...(path ? { path } : { index: true }),
    lazy: load,
    handle,
    ...(loader ? { loader } : {}),
  };
}

/** An account page. They share one chunk: users who open one mostly open another. */
function accountPage(
  path: string,
  name: keyof typeof AccountPages,
  more: Pick<RouteObject, "loader"> = {},
): RouteObject {
  const load = async () => ({ Component: (await import("./features/account/pages.ts"))[name] });
  return page(path, "account/pages.ts", load, more);
}

/** A page with a form that goes to staff. They share one chunk. */
function inquiryPage(path: string, name: keyof typeof InquiryPages): RouteObject {
  const load = async () => ({ Component: (await import("./features/inquiry/pages.ts"))[name] });
  return page(path, "inquiry/pages.ts", load);
}

function articlePage(path: string, name: "postLoader" | "pageLoader"): RouteObject {
  return page(path, "content/ArticlePage.tsx", async () => {
    const { Component, [name]: loader } = await import("./features/content/ArticlePage.tsx");
    return { Component, loader };
  });
}

/** Loads which terms a form asks the user to agree to. */
const loader = async (args: LoaderArgs) =>
  (await import("./features/content/terms.loader.ts")).termsLoader(args);

/**
 * The pages. The server renders them, and the browser hydrates them, from the same objects. Loaders are small
 * and, for pages that visitors land on, always loaded, so that a page's data and module are fetched in parallel.
 */
export const routes: RouteObject[] = [
  {
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    children: [
      {
        ErrorBoundary: ErrorPage,
        children: [
          page("", "home/HomePage.tsx", () => import("./features/home/HomePage.tsx"), {
            loader: homeLoader,
          }),
          page(
            "search",
            "search/SearchPage.tsx",
            () => import("./features/search/SearchPage.tsx"),
            {
              loader: searchLoader,
            },
          ),
          page(
            "report",
            "submit-report/SubmitReportPage.tsx",
            () => import("./features/submit-report/SubmitReportPage.tsx"),
            // Without scripts the form contains its key, which is valid for one report.
            { once: true, loader },
          ),
          page(
            "report/:seoTitle",
            "report-detail/ReportDetailPage.tsx",
            () => import("./features/report-detail/ReportDetailPage.tsx"),
            { loader: reportDetailLoader },
          ),
          page(
            "verify-email/:token?",
            "verify-email/VerifyEmailPage.tsx",
            () => import("./features/verify-email/VerifyEmailPage.tsx"),
          ),
          page(
            "report-question/:token",
            "report-question/QuestionPage.tsx",
            () => import("./features/report-question/QuestionPage.tsx"),
            // Without scripts its form contains its key, which is valid for one answer.
            { once: true },
          ),
          page(
            "inquiry-answer/:token",
            "inquiry-answer/InquiryAnswerPage.tsx",
            () => import("./features/inquiry-answer/InquiryAnswerPage.tsx"),
            // As above, valid for one reply.
            { once: true },
          ),
          page(
            "report-status/:token",
            "report-status/ReportStatusPage.tsx",
            () => import("./features/report-status/ReportStatusPage.tsx"),
          ),
          page(
            "unsubscribe/:token",
            "unsubscribe/UnsubscribePage.tsx",
            () => import("./features/unsubscribe/UnsubscribePage.tsx"),
          ),
          accountPage("login", "LoginPage"),
          accountPage("register", "RegisterPage", { loader }),
          accountPage("forgot-password", "ForgotPasswordPage"),
          accountPage("reset-password/:token", "ResetPasswordPage"),
          accountPage("sign-in-link/:token", "SignInLinkPage"),
          accountPage("change-email/:token", "ConfirmEmailChangePage"),
          accountPage("undo-email-change/:token", "UndoEmailChangePage"),
          accountPage("profile", "ProfilePage"),
          page(
            "dashboard",
            "dashboard/DashboardPage.tsx",
            () => import("./features/dashboard/DashboardPage.tsx"),
          ),
          page(
            "dashboard/reports/:id",
            "own-report/OwnReportPage.tsx",
            () => import("./features/own-report/OwnReportPage.tsx"),
          ),
          page(
            "account-settings",
            "account/settings/AccountSettingsPage.tsx",
            () => import("./features/account/settings/AccountSettingsPage.tsx"),
          ),
          page(
            "account-settings/delete",
            "account/settings/DeleteAccountPage.tsx",
            () => import("./features/account/settings/DeleteAccountPage.tsx"),
          ),
          page("faq", "faq/FaqPage.tsx", () => import("./features/faq/FaqPage.tsx"), {
            loader: faqLoader,
          }),
          page("blog", "content/BlogPage.tsx", () => import("./features/content/BlogPage.tsx")),
          articlePage("blog/:slug", "postLoader"),
          articlePage("pages/:slug", "pageLoader"),
          // A legal page's path is its text's slug.
          ...["terms", "privacy", "disclaimer", "dmca"].map((slug) =>
            page(slug, "content/LegalPage.tsx", () => import("./features/content/LegalPage.tsx"), {
              loader: legalLoader,
            }),
          ),
          inquiryPage("enterprise", "EnterprisePage"),
          inquiryPage("law-enforcement", "LawEnforcementPage"),
          inquiryPage("dmca/notice", "DmcaNoticePage"),
          inquiryPage("dmca/counter-notice", "DmcaCounterNoticePage"),
          { path: "*", loader: notFound, Component: () => null },
        ],
      },
    ],
  },
];
