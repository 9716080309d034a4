import { lazy, Suspense } from "react";
import { usePermissions } from "react-admin";
import { Navigate } from "react-router-dom";
import type { Role } from "#contracts/http/account.ts";
import { paths } from "../config/paths.ts";
import { sections } from "../layout/sections.ts";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";

const Dashboard = lazy(() => import("../dashboard/Dashboard.tsx"));

/** Every other section that admins may open. */
const ACTIONS = sections.filter(
  ({ path, roles }) => path !== paths.dashboard && roles.includes("admin"),
);

/** The console's first page: the dashboard, or the audit log for those who may see only that. */
export function StartPage() {
  const { permissions: role } = usePermissions<Role>();
  if (role === "auditor") return <Navigate to={paths.auditLogs} replace />;
  if (role !== "admin") return null;
  return (
    <Suspense fallback={<FullPageLoading />}>
      <Dashboard actions={ACTIONS} />
    </Suspense>
  );
}
