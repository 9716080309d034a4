import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { SIGN_IN_CAUSES } from "#contracts/account/account-words.ts";
import type { UserRecord } from "#contracts/http/users.ts";
import { paths } from "../config/paths.ts";
import { formatCount } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { StatusChip } from "../shared/StatusChip.tsx";

/** A list with lines between its entries. */
export function Lines({ children }: { readonly children: ReactNode }) {
  return (
    <Box
      component="ul"
      sx={{
        listStyle: "none",
        m: 0,
        p: 0,
        "& > li": { py: 1 },
        "& > li + li": { borderTop: 1, borderColor: "divider" },
      }}
    >
      {children}
    </Box>
  );
}

/** The newest reports of a user. */
export function UserReports(props: {
  readonly reports: UserRecord["reports"];
  readonly total: number;
}) {
  const { reports, total } = props;
  if (reports.length === 0) return <Typography color="textSecondary">None</Typography>;
  return (
    <>
      <Lines>
        {reports.map(({ id, first_name, last_name, title, status, created_at }) => (
          <Box component="li" key={id} sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
            <Box sx={{ flex: "1 1 220px", minWidth: 0, overflowWrap: "anywhere" }}>
              <Link component={RouterLink} to={paths.report(id)} underline="hover">
                {`${first_name} ${last_name}`.trim() || title}
              </Link>
              <Typography color="textSecondary">
                {title}, <Instant at={created_at} as="day" />
              </Typography>
            </Box>
            <StatusChip status={status} />
          </Box>
        ))}
      </Lines>
      {total > reports.length && (
        <Typography color="textSecondary">
          The newest {reports.length} of {formatCount(total)}
        </Typography>
      )}
    </>
  );
}

/** Where a user is signed in, masked. */
export function UserSessions({ sessions }: { readonly sessions: UserRecord["sessions"] }) {
  if (sessions.length === 0) return <Typography color="textSecondary">None</Typography>;
  return (
    <Lines>
      {sessions.map(({ started_at, last_used_at, device, network }) => (
        <Box component="li" key={started_at + last_used_at}>
          <Typography sx={{ overflowWrap: "anywhere" }}>
            {device ?? "Unknown device"}
            {network && `, ${network}`}
          </Typography>
          <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
            Since <Instant at={started_at} />, last used <Instant at={last_used_at} />
          </Typography>
        </Box>
      ))}
    </Lines>
  );
}

/** Who tried to sign in as a user and failed, masked. */
export function FailedSignIns(props: { readonly attempts: UserRecord["failed_sign_ins"] }) {
  const { attempts } = props;
  if (attempts.length === 0)
    return <Typography color="textSecondary">None in the last three months</Typography>;
  return (
    <Lines>
      {attempts.map(({ at, cause, device, network }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be of one moment; they have no state.
        <Box component="li" key={`${at} ${n}`}>
          <Typography>{SIGN_IN_CAUSES[cause]}</Typography>
          <Typography
            color="textSecondary"
            sx={{ fontVariantNumeric: "tabular-nums", overflowWrap: "anywhere" }}
          >
            <Instant at={at} />
            {`, ${[device ?? "Unknown device", network].filter(Boolean).join(", ")}`}
          </Typography>
        </Box>
      ))}
    </Lines>
  );
}
