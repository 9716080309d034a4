import { lazy } from "react";
import { usePermissions } from "react-admin";
import { Navigate } from "react-router-dom";
import type { Role } from "#contracts/http/account.ts";
import { paths } from "../config/paths.ts";
import { sections } from "../layout/sections.ts";

const Dashboard = lazy(() => import("../dashboard/Dashboard.tsx"));

const ACTIONS = [
  paths.users,
  paths.reports,
  paths.documents,
  paths.payments,
  paths.analytics,
  paths.auditLogs,
  paths.content,
  paths.system,
  paths.templates,
].flatMap((path) => sections.filter((section) => section.path === path));

/** The console's start page: the dashboard for admins, the audit log for auditors. */
export function StartPage() {
  const { permissions: role } = usePermissions<Role>();
  if (role === "auditor") return <Navigate to={paths.auditLogs} replace />;
  if (role !== "admin") return null;
  return <Dashboard actions={ACTIONS} />;
}
