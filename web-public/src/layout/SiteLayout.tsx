import { useEffect, useRef } from "react";
import {
  Link,
  NavLink,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
} from "react-router-dom";
import { motion } from "#theme/tokens.ts";
import { NavigationProgress } from "../components/NavigationProgress.tsx";
import { PageSkeleton, type SkeletonShape } from "../components/PageSkeleton.tsx";
import { ToastRegion } from "../components/ToastRegion.tsx";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import { useDelayed } from "../lib/use-delayed.ts";
import { ProductMark } from "./ProductMark.tsx";
import { SiteFooter } from "./SiteFooter.tsx";
import styles from "./SiteLayout.module.css";

/** The frame of every page. */
export function SiteLayout() {
  const { productName, samples } = useSiteConfig();
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  const skeleton = useSkeleton();
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link className={styles.product} to={paths.home}>
            <ProductMark />
            <span>{productName}</span>
          </Link>
          <nav aria-label="Main" className={styles.nav}>
            <NavLink className={styles.navLink ?? ""} to={paths.search}>
              Search
            </NavLink>
            <NavLink className={styles.navLink ?? ""} to={paths.submitReport} end>
              <span>
                Report<span className={styles.wide}> abuse</span>
              </span>
            </NavLink>
          </nav>
        </div>
        <NavigationProgress />
      </header>
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

/** Moves the focus to the heading after navigation to another page, but not on the first page. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const heading = main.current?.querySelector<HTMLElement>("h1[tabindex]");
    (heading ?? main.current)?.focus({ preventScroll: true });
  }, [pathname, main]);
}
