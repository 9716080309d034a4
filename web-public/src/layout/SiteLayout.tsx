import { useEffect, useRef } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router-dom";
import { motion } from "#theme/tokens.ts";
import { PageSkeleton, type SkeletonShape } from "../components/PageSkeleton.tsx";
import { ToastRegion } from "../components/ToastRegion.tsx";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import { formatMoment } from "../lib/format.ts";
import { useDelayed } from "../lib/use-delayed.ts";
import { SiteFooter } from "./SiteFooter.tsx";
import { SiteHeader } from "./SiteHeader.tsx";
import styles from "./SiteLayout.module.css";

/** The frame of every page. */
export function SiteLayout() {
  const { samples, maintenance } = useSiteConfig();
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  const skeleton = useSkeleton();
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to the content
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
            <strong>Sample data.</strong> Some of the reports are made-up samples.{" "}
            <code>npm run sample:clear</code> removes them.
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

/**
 * The placeholder for the next page when it takes long to load. A new search on the search page has
 * its own.
 */
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
 * Moves the focus to the heading after navigation to another page, but not on the first page; also
 * after a step within a list, whose link is gone.
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
