import { lazy, Suspense } from "react";
import { CanAccess } from "react-admin";
import { NoAccessPage } from "../layout/ErrorPages.tsx";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";

const Analytics = lazy(() => import("../analytics/Analytics.tsx"));

/** Figures over a period, in a chunk of its own, for those who may see them. */
export function AnalyticsPage() {
  return (
    <CanAccess resource="analytics" action="list" accessDenied={<NoAccessPage />}>
      <Suspense fallback={<FullPageLoading />}>
        <Analytics />
      </Suspense>
    </CanAccess>
  );
}
