import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import type { StaffResolution } from "#contracts/http/resolution.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { CARD_METHODS, PAYMENT_METHODS, RESOLUTION_STAGES } from "#contracts/report/resolution.ts";
import { messageOf } from "../../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../../data/console-data-provider.ts";
import { AskDialog } from "../../../shared/AskDialog.tsx";
import { Instant } from "../../../shared/Instant.tsx";
import { MarkedText } from "../../../shared/MarkedText.tsx";
import { Section } from "../../../shared/Section.tsx";
import { saveFile } from "../../../shared/save-file.ts";
import { useProof } from "../../../shared/use-proof.tsx";
import { useCommand } from "../../commands/use-command.ts";
import { actionsFor, type ResolutionAction, refundOf } from "./resolution-actions.ts";

/** The request for the RESOLVED banner: its letter, its payments, and what can be done next. */
export function ResolutionSection({ report }: { readonly report: AdminReportDetail }) {
  const { resolution } = report;
  if (!resolution) return null;
  return <OpenResolution report={report} resolution={resolution} />;
}

function OpenResolution(props: {
  readonly report: AdminReportDetail;
  readonly resolution: StaffResolution;
}) {
  const { report, resolution } = props;
  const { stage, fee, refusal, file_id, changed_at, payments } = resolution;
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const sender = useCommand(report.id);
  const proof = useProof();
  const [action, setAction] = useState<ResolutionAction>();
  const ask = (chosen: ResolutionAction) => {
    sender.reset();
    setAction(chosen);
  };
  /** Opens the letter as a file of its own, which the log says first. */
  const letter = useMutation({
    mutationFn: async (fileId: string) => {
      const file = await proof.run(() => provider.openEvidence(report.id, fileId));
      if (file) saveFile(file, `letter.${file.type.split("/")[1] ?? "pdf"}`);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
    onError: (error) =>
      notify(`Failed to open the letter: ${messageOf(error, "Unknown error")}`, { type: "error" }),
  });
  return (
    <Section title="RESOLVED banner">
      <Box sx={{ display: "grid", gap: 2 }}>
        <Box>
          <Typography sx={{ fontWeight: 600 }}>{RESOLUTION_STAGES[stage]}</Typography>
          <Typography color="textSecondary">
            Fee {formatMoney(fee.amount, fee.currency)}, since <Instant at={changed_at} />
          </Typography>
          {refusal && (
            <Typography sx={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
              Reason: <MarkedText text={refusal} own={ownNumbers(report)} />
            </Typography>
          )}
          {report.status !== "approved" && (
            <Typography>
              This report isn't public. You can't accept a letter, and the banner won't show, until
              it is.
            </Typography>
          )}
        </Box>
        {payments.length > 0 && (
          <Payments resolution={resolution} onRefund={report.own ? undefined : ask} />
        )}
        <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
          {file_id && !report.own && (
            <Button
              variant="outlined"
              loading={letter.isPending}
              onClick={() => letter.mutate(file_id)}
            >
              Download letter
            </Button>
          )}
          {(report.own ? [] : actionsFor(resolution)).map((each) => (
            <Button
              key={each.label}
              variant={each.isApart ? "text" : "outlined"}
              color={each.isApart ? "warning" : "primary"}
              onClick={() => ask(each)}
            >
              {each.label}
            </Button>
          ))}
        </Box>
        {!report.own && (
          <Typography color="textSecondary">
            Downloading the letter is recorded in the history, with your name.
          </Typography>
        )}
      </Box>
      {action && (
        <AskDialog
          {...action}
          fields={action.fields ?? []}
          isFinal={action.isApart ?? false}
          running={sender.running !== undefined}
          failure={sender.failure}
          onSend={async (answer) => {
            const body = { ...action.body, ...answer };
            const { command, failed } = action;
            const send = () => provider.decideResolution(command, report.id, body);
            if (await sender.run({ failed, send })) setAction(undefined);
          }}
          onClose={() => setAction(undefined)}
        />
      )}
      {sender.dialog}
      {proof.dialog}
    </Section>
  );
}

function Payments(props: {
  readonly resolution: StaffResolution;
  /** Undefined where it is not for this moderator to do. */
  readonly onRefund: ((action: ReturnType<typeof refundOf>) => void) | undefined;
}) {
  const { resolution, onRefund } = props;
  const methods: Readonly<Record<string, string>> = { ...CARD_METHODS, ...PAYMENT_METHODS };
  return (
    <Box sx={{ overflowX: "auto" }}>
      {/* The lists' heads stick below the page's header; in a box that scrolls this one would hide a row. */}
      <Table size="small" aria-label="Payments" sx={{ "& th": { position: "static" } }}>
        <TableHead>
          <TableRow>
            <TableCell>Paid by</TableCell>
            <TableCell>Reference</TableCell>
            <TableCell align="right">Amount</TableCell>
            <TableCell>State</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {resolution.payments.map((payment) => (
            <TableRow key={payment.payment_id}>
              <TableCell>{methods[payment.method] ?? payment.method}</TableCell>
              <TableCell sx={{ overflowWrap: "anywhere" }}>{payment.reference}</TableCell>
              <TableCell align="right">
                {formatMoney(payment.paid.amount, payment.paid.currency)}
              </TableCell>
              <TableCell>
                {payment.refunded
                  ? "Refunded"
                  : onRefund && (
                      <Button
                        size="small"
                        color="warning"
                        onClick={() => onRefund(refundOf(resolution, payment))}
                      >
                        Refund…
                      </Button>
                    )}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
