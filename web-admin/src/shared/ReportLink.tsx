import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { StatusChip } from "./StatusChip.tsx";

export interface ReportLinkProps {
  readonly report: {
    readonly id: string;
    readonly number: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly status: string;
  };
}

/** Whose report something belongs to: name, number and status, with the way there. */
export function ReportLink({ report }: ReportLinkProps) {
  const { id, number, first_name, last_name, status } = report;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Link
        component={RouterLink}
        to={paths.report(id)}
        sx={{
          fontWeight: 600,
          display: "inline-block",
          py: 1.25,
          my: -1.25,
          overflowWrap: "anywhere",
        }}
      >
        {first_name} {last_name}
      </Link>
      <Box sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
        <Typography color="textSecondary">{number}</Typography>
        <StatusChip status={status} />
      </Box>
    </Box>
  );
}

/** Whose report something belongs to, on one line of a list, with the way there. */
export function ReportName({ report: { id, number, first_name, last_name } }: ReportLinkProps) {
  return (
    <Link component={RouterLink} to={paths.report(id)} underline="hover">
      {first_name} {last_name}{" "}
      <Box component="span" sx={{ color: "text.secondary", fontWeight: 400, ml: 0.5 }}>
        {number}
      </Box>
    </Link>
  );
}

/** How that report stands. */
export function ReportStatus({ report }: ReportLinkProps) {
  return <StatusChip status={report.status} />;
}
