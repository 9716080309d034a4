import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { visuallyHidden } from "./visually-hidden.ts";

interface NamedReport {
  readonly id: string;
  readonly number: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Whose report something belongs to, on one line of a list, with the way there. */
export function ReportName({ report }: { readonly report: NamedReport }) {
  const { id, number, first_name, last_name } = report;
  return (
    <Link component={RouterLink} to={paths.report(id)} underline="hover">
      {first_name} {last_name}{" "}
      <Box
        component="span"
        sx={({ breakpoints }) => ({
          color: "text.secondary",
          fontWeight: 400,
          ml: 0.5,
          // Cut off, it would name nothing.
          [breakpoints.down("sm")]: visuallyHidden,
        })}
      >
        {number}
      </Box>
    </Link>
  );
}
