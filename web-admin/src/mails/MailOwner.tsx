import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router-dom";
import type { ListedMail } from "#contracts/http/admin-mails.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { paths } from "../config/paths.ts";

/** Whose email it is, with the way there. */
export function MailOwner({ owner: { type, id } }: Pick<ListedMail, "owner">) {
  const [to, label] = {
    report: [paths.report(id), `Report ${reportNumber(id)}`],
    account: [paths.user(id), "Account"],
    inquiry: [paths.inquiry(id), "Inquiry"],
    notice: [paths.notice(id), "Notice"],
  }[type];
  return (
    <Link
      component={RouterLink}
      to={to ?? paths.mails}
      sx={{ display: "inline-block", py: 1, my: -1 }}
    >
      {label}
    </Link>
  );
}
