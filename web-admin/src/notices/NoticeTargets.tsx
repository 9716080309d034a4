import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { given } from "#contracts/given.ts";
import type { LinkNotice, NoticeRecord, ShownTarget } from "#contracts/http/admin-notices.ts";
import { paths } from "../config/paths.ts";
import type { PickedReport } from "../shared/picked-report.ts";
import { ReportPicker } from "../shared/ReportPicker.tsx";
import { Section } from "../shared/Section.tsx";
import { useSending } from "../shared/use-sending.ts";

/** What a notice is about: reports, and published pictures of them. */
export function NoticeTargets({ notice }: { readonly notice: NoticeRecord }) {
  const { id, targets, status, revision } = notice;
  const [report, setReport] = useState<PickedReport | null>(null);
  const isOpen = status === "new" || status === "in_work";
  const link = useSending(
    (provider, target: { readonly report_id: string; readonly copy_id?: string }) =>
      provider.command(`/notices/${id}/link`, { ...target, revision } satisfies LinkNotice),
    {
      again: ["notices"],
      failed: "Couldn't link the report. Try again.",
      onDone: () => setReport(null),
    },
  );
  const unlink = useSending(
    (provider, { report_id: of, copy_id: copy }: ShownTarget) =>
      provider.command(`/notices/${id}/unlink`, {
        report_id: of,
        ...given({ copy_id: copy }),
        revision,
      } satisfies LinkNotice),
    { again: ["notices"], failed: "Couldn't remove the link. Try again." },
  );
  return (
    <Section title="Material">
      {targets.length === 0 && (
        <Typography color="textSecondary">
          {isOpen
            ? "Nothing linked yet. Reveal the notice, then find the report here and link it."
            : "No report was linked."}
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {targets.map((target) => (
          <Box
            component="li"
            key={`${target.report_id} ${target.copy_id}`}
            sx={{ display: "flex", gap: 2, alignItems: "center", py: 0.5, flexWrap: "wrap" }}
          >
            <Link component={RouterLink} to={paths.report(target.report_id)} sx={{ py: 1.25 }}>
              {target.report_number}
              {target.copy_id && ", one picture"}
            </Link>
            {isOpen && (
              <Button
                onClick={() => unlink.mutate(target)}
                disabled={unlink.isPending || link.isPending}
                aria-label={`Unlink ${target.report_number}`}
              >
                Unlink
              </Button>
            )}
          </Box>
        ))}
      </Box>
      {isOpen && (
        <Box
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (report && !link.isPending)
              link.mutate({ report_id: report.id, ...given({ copy_id: report.copyId }) });
          }}
          sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "flex-start", mt: 1 }}
        >
          <ReportPicker label="Report or picture" value={report} onChange={setReport} />
          <Button
            type="submit"
            variant="outlined"
            loading={link.isPending}
            disabled={!report || unlink.isPending}
          >
            Link
          </Button>
        </Box>
      )}
    </Section>
  );
}
