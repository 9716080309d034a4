import type { RouteObject } from "react-router-dom";
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
  /** It holds something for this one visit: no browser shows it again from a copy. */
  readonly once?: true;
}

function page(module: string, more: Omit<PageHandle, "module"> = {}): { handle: PageHandle } {
  return { handle: { module, ...more } };
}

/** Loads which terms a form asks its reader to agree to. */
const termsInForce = async () => (await import("./features/content/terms.loader.ts")).termsLoader;

/** A page of accounts. They share one chunk: who opens one mostly opens the next. */
function accountPage(
  path: string,
  name: keyof typeof AccountPages,
  more: { loader?: typeof termsInForce } = {},
): RouteObject {
  return {
    path,
    lazy: { Component: async () => (await import("./features/account/pages.ts"))[name], ...more },
    ...page("src/features/account/pages.ts"),
  };
}

/** A page of the registry's own texts. Its path is the text's slug. */
function legalPage(path: string): RouteObject {
  return {
    path,
    loader: legalLoader,
    lazy: {
      Component: async () => (await import("./features/content/LegalPage.tsx")).LegalPage,
    },
    ...page("src/features/content/LegalPage.tsx"),
  };
}

/** A post or a page that staff wrote. */
function articlePage(path: string, loader: "postLoader" | "pageLoader"): RouteObject {
  return {
    path,
    lazy: {
      Component: async () => (await import("./features/content/ArticlePage.tsx")).ArticlePage,
      loader: async () => (await import("./features/content/article.loader.ts"))[loader],
    },
    ...page("src/features/content/ArticlePage.tsx"),
  };
}

/** A page with a form for the registry's staff. */
function inquiryPage(path: string, name: keyof typeof InquiryPages): RouteObject {
  return {
    path,
    lazy: { Component: async () => (await import("./features/inquiry/pages.ts"))[name] },
    ...page("src/features/inquiry/pages.ts"),
  };
}

/**
 * The pages. The server renders them and the browser hydrates them from the same objects. Loaders
 * are small and always loaded, so that the data and the module of a page are fetched in parallel.
 */
export const routes: RouteObject[] = [
  {
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    children: [
      {
        ErrorBoundary: ErrorPage,
        children: [
          {
            index: true,
            loader: homeLoader,
            lazy: {
              Component: async () => (await import("./features/home/HomePage.tsx")).HomePage,
            },
            ...page("src/features/home/HomePage.tsx"),
          },
          {
            path: "search",
            loader: searchLoader,
            lazy: {
              Component: async () => (await import("./features/search/SearchPage.tsx")).SearchPage,
            },
            ...page("src/features/search/SearchPage.tsx"),
          },
          {
            path: "report",
            lazy: {
              Component: async () =>
                (await import("./features/submit-report/SubmitReportPage.tsx")).SubmitReportPage,
              loader: termsInForce,
              action: async () =>
                (await import("./features/submit-report/report.action.ts")).reportAction,
            },
            // A form without scripts has its key in it, which counts for one report.
            ...page("src/features/submit-report/SubmitReportPage.tsx", { once: true }),
          },
          {
            path: "report/:seoTitle",
            loader: reportDetailLoader,
            lazy: {
              Component: async () =>
                (await import("./features/report-detail/ReportDetailPage.tsx")).ReportDetailPage,
            },
            ...page("src/features/report-detail/ReportDetailPage.tsx"),
          },
          {
            path: "verify-email/:token?",
            lazy: {
              Component: async () =>
                (await import("./features/verify-email/VerifyEmailPage.tsx")).VerifyEmailPage,
              action: async () =>
                (await import("./features/verify-email/verify-email.action.ts")).verifyEmailAction,
            },
            ...page("src/features/verify-email/VerifyEmailPage.tsx"),
          },
          {
            path: "report-question/:token",
            lazy: {
              Component: async () =>
                (await import("./features/report-question/QuestionPage.tsx")).QuestionPage,
              loader: async () =>
                (await import("./features/report-question/question.loader.ts")).questionLoader,
              action: async () =>
                (await import("./features/report-question/question.action.ts")).questionAction,
            },
            // Its form without scripts has its key in it, which counts for one answer.
            ...page("src/features/report-question/QuestionPage.tsx", { once: true }),
          },
          {
            path: "inquiry-answer/:token",
            lazy: {
              Component: async () =>
                (await import("./features/inquiry-answer/InquiryAnswerPage.tsx")).InquiryAnswerPage,
              loader: async () =>
                (await import("./features/inquiry-answer/inquiry-answer.loader.ts"))
                  .inquiryAnswerLoader,
              action: async () =>
                (await import("./features/inquiry-answer/inquiry-answer.loader.ts"))
                  .inquiryAnswerAction,
            },
            // As above, which counts for one reply.
            ...page("src/features/inquiry-answer/InquiryAnswerPage.tsx", { once: true }),
          },
          {
            path: "report-status/:token",
            lazy: {
              Component: async () =>
                (await import("./features/report-status/ReportStatusPage.tsx")).ReportStatusPage,
              loader: async () =>
                (await import("./features/report-status/report-status.loader.ts"))
                  .reportStatusLoader,
            },
            ...page("src/features/report-status/ReportStatusPage.tsx"),
          },
          {
            path: "unsubscribe/:token",
            lazy: {
              Component: async () =>
                (await import("./features/unsubscribe/UnsubscribePage.tsx")).UnsubscribePage,
            },
            ...page("src/features/unsubscribe/UnsubscribePage.tsx"),
          },
          accountPage("login", "LoginPage"),
          accountPage("register", "RegisterPage", { loader: termsInForce }),
          accountPage("forgot-password", "ForgotPasswordPage"),
          accountPage("reset-password/:token", "ResetPasswordPage"),
          accountPage("sign-in-link/:token", "SignInLinkPage"),
          accountPage("change-email/:token", "ConfirmEmailChangePage"),
          accountPage("undo-email-change/:token", "UndoEmailChangePage"),
          accountPage("profile", "ProfilePage"),
          {
            path: "dashboard",
            lazy: {
              Component: async () =>
                (await import("./features/dashboard/DashboardPage.tsx")).DashboardPage,
            },
            ...page("src/features/dashboard/DashboardPage.tsx"),
          },
          {
            path: "dashboard/reports/:id",
            lazy: {
              Component: async () =>
                (await import("./features/own-report/OwnReportPage.tsx")).OwnReportPage,
            },
            ...page("src/features/own-report/OwnReportPage.tsx"),
          },
          {
            path: "account-settings",
            lazy: {
              Component: async () =>
                (await import("./features/account/settings/AccountSettingsPage.tsx"))
                  .AccountSettingsPage,
            },
            ...page("src/features/account/settings/AccountSettingsPage.tsx"),
          },
          {
            path: "account-settings/delete",
            lazy: {
              Component: async () =>
                (await import("./features/account/settings/DeleteAccountPage.tsx"))
                  .DeleteAccountPage,
            },
            ...page("src/features/account/settings/DeleteAccountPage.tsx"),
          },
          {
            path: "faq",
            loader: faqLoader,
            lazy: { Component: async () => (await import("./features/faq/FaqPage.tsx")).FaqPage },
            ...page("src/features/faq/FaqPage.tsx"),
          },
          {
            path: "blog",
            lazy: {
              Component: async () => (await import("./features/content/BlogPage.tsx")).BlogPage,
              loader: async () => (await import("./features/content/blog.loader.ts")).blogLoader,
            },
            ...page("src/features/content/BlogPage.tsx"),
          },
          articlePage("blog/:slug", "postLoader"),
          articlePage("pages/:slug", "pageLoader"),
          ...["terms", "privacy", "disclaimer", "dmca"].map(legalPage),
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
