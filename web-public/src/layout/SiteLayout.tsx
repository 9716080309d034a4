import { useEffect, useRef, useSyncExternalStore } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router-dom";
import { motion } from "#theme/tokens.ts";
import { ReportListSkeleton } from "../components/ReportList.tsx";
import { currentToasts, dismissToast, subscribeToasts } from "../components/toast-store.ts";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import { formatMoment } from "../lib/format.ts";
import { useDelayed } from "../lib/use-delayed.ts";
import { SiteFooter } from "./SiteFooter.tsx";
import { SiteHeader } from "./SiteHeader.tsx";
import styles from "./SiteLayout.module.css";

/** Layout of every page. */
export function SiteLayout() {
  const { samples, maintenance } = useSiteConfig();
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  const skeleton = useSkeleton();
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to main content
      </a>
      <SiteHeader />
      {maintenance && (
        <aside className={styles.samples} aria-label="Maintenance">
          <p>
            <strong>Maintenance.</strong> {maintenance.message}
            {maintenance.until && ` Expected to end on ${formatMoment(maintenance.until)}.`}
          </p>
        </aside>
      )}
      {samples && (
        <aside className={styles.samples} aria-label="Sample data">
          <p>
            <strong>Sample data.</strong> Some reports are made up.
          </p>
        </aside>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {skeleton && <PageSkeleton shape={skeleton} />}
        <div hidden={skeleton !== undefined}>
          <Outlet />
        </div>
      </main>
      <SiteFooter />
      <ToastRegion />
      <ScrollRestoration />
    </>
  );
}

/** Returns the placeholder for the next page if it loads slowly. A new search on the search page has its own. */
function useSkeleton(): SkeletonShape | undefined {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const shape = next && next.pathname !== pathname ? shapeOf(next.pathname) : undefined;
  return useDelayed(shape !== undefined, motion.skeletonDelay) ? shape : undefined;
}

function shapeOf(pathname: string): SkeletonShape | undefined {
  if (pathname === paths.search) return "search";
  return pathname.startsWith(paths.report("")) ? "report" : undefined;
}

/**
 * Moves the focus to the heading after navigating to another page (not on the first page), and after paging
 * through a list, whose link is gone.
 */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>) {
  const { pathname, hash, key } = useLocation();
  const shown = useRef({ pathname, key });
  useEffect(() => {
    const before = shown.current;
    if (before.key === key) return;
    shown.current = { pathname, key };
    const isLost = document.activeElement === document.body && hash === "";
    if (before.pathname === pathname && !isLost) return;
    const heading = main.current?.querySelector<HTMLElement>("h1[tabindex]");
    (heading ?? main.current)?.focus({ preventScroll: true });
  }, [pathname, hash, key, main]);
}

/** Shows toasts. Always in the page, so that screen readers announce new ones. */
function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts);
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={`${styles.toast} ${styles[toast.kind]}`}>
          <p>
            {toast.title && <strong>{toast.title}: </strong>}
            {toast.text}
          </p>
          <button type="button" aria-label="Dismiss" onClick={() => dismissToast(toast.id)}>
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" strokeWidth="2" />
            </svg>
          </button>
        </div>
      ))}
    </div>
  );
}

type SkeletonShape = "search" | "report";

function PageSkeleton({ shape }: { shape: SkeletonShape }) {
  return (
    <div className={styles.page}>
      <div className="visually-hidden" role="status">
        <h1>Loading</h1>
      </div>
      {shape === "search" ? (
        <div aria-hidden="true">
          <div className={styles.heading} />
          <div className={styles.form} />
          <div className={styles.heading} />
          <div className={styles.results}>
            <ReportListSkeleton rows={4} />
          </div>
        </div>
      ) : (
        <div aria-hidden="true">
          <div className={styles.heading} />
          <div className={styles.line} />
          <div className={styles.record}>
            <div className={styles.sheet} />
            <div className={styles.sheet} />
          </div>
        </div>
      )}
    </div>
  );
}
