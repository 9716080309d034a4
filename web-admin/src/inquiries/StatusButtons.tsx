import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useDataProvider } from "react-admin";
import type { InquiryRecord } from "#contracts/http/admin-inquiries.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useInquiryCommand } from "./use-inquiry-command.ts";

/** What can be done next, the usual step first. */
const NEXT: Readonly<Record<InquiryStatus, readonly InquiryStatus[]>> = {
  new: ["in_work", "answered", "closed"],
  in_work: ["answered", "closed", "new"],
  answered: ["closed", "in_work"],
  closed: ["in_work"],
};
const ACTS: Readonly<Record<InquiryStatus, string>> = {
  new: "Back to new",
  in_work: "Take into work",
  answered: "Mark as answered",
  closed: "Close",
};

/** Changes the status of an inquiry, unless somebody else has meanwhile. */
export function StatusButtons({
  inquiry: { id, status, status_revision: revision },
}: {
  readonly inquiry: InquiryRecord;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { mutate, isPending, variables } = useInquiryCommand((to: InquiryStatus) =>
    provider.changeInquiryStatus(id, { status: to, revision }),
  );
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      {NEXT[status].map((to, index) => (
        <Button
          key={to}
          variant={index === 0 ? "contained" : "outlined"}
          loading={isPending && variables === to}
          disabled={isPending}
          onClick={() => mutate(to)}
        >
          {status === "closed" ? "Open again" : ACTS[to]}
        </Button>
      ))}
    </Box>
  );
}
