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
import { useNotify } from "react-admin";
import type { ResolutionCommandName, StaffResolution } from "#contracts/http/resolution.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import {
  CARD_METHODS,
  PAYMENT_METHODS,
  REFERENCE_LENGTH,
  REFUND_REASONS,
  RESOLUTION_REASON_LENGTH,
  RESOLUTION_STAGES,
} from "#contracts/report/resolution.ts";
import { longText } from "../commands/report-commands.ts";
import { SHOWN_IN } from "../commands/use-command.ts";
import { messageOf } from "../data/api-error.ts";
import { useShownReport } from "../record/OpenReport.tsx";
import { SendDialog } from "../shared/AskDialog.tsx";
import { type FormField, lengthOf } from "../shared/fields.tsx";
import { MarkedText } from "../shared/MarkedText.tsx";
import { Section } from "../shared/page.tsx";
import { Instant } from "../shared/parts.tsx";
import { useProvider } from "../shared/reads.ts";
import { saveFile } from "../shared/save-file.ts";

/** The request for the RESOLVED banner: its letter, its payments, and the next actions. */
export function ResolutionSection({ resolution }: { readonly resolution: StaffResolution }) {
  const report = useShownReport();
  const { stage, fee, refusal, file_id, changed_at, payments } = resolution;
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [action, setAction] = useState<ResolutionAction>();
  /** Downloads the letter. The server logs this first. */
  const letter = useMutation({
    mutationFn: async (fileId: string) => {
      const file = await provider.openEvidence(report.id, fileId);
      saveFile(file, `letter.${file.type.split("/")[1] ?? "pdf"}`);
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
          <Payments resolution={resolution} onRefund={report.own ? undefined : setAction} />
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
              onClick={() => setAction(each)}
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
        <SendDialog
          {...action}
          isFinal={action.isApart ?? false}
          send={(_, typed) =>
            provider.decideResolution(action.command, report.id, { ...action.body, ...typed })
          }
          again={SHOWN_IN}
          tells="success"
          refetchFirst
          onClose={() => setAction(undefined)}
        />
      )}
    </Section>
  );
}

function Payments(props: {
  readonly resolution: StaffResolution;
  /** Undefined if this moderator may not refund it. */
  readonly onRefund: ((action: ReturnType<typeof refundOf>) => void) | undefined;
}) {
  const { resolution, onRefund } = props;
  const methods: Readonly<Record<string, string>> = { ...CARD_METHODS, ...PAYMENT_METHODS };
  return (
    <Box sx={{ overflowX: "auto" }}>
      {/* Heads of lists stick below the page's header; in this scrolling box that would cover a row. */}
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

interface ResolutionAction {
  readonly command: ResolutionCommandName;
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
  readonly confirm: string;
  readonly failed: string;
  readonly fields?: readonly FormField[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly isApart?: true;
}

const REASON = {
  ...longText("reason", "Reason", RESOLUTION_REASON_LENGTH),
  needs: "Enter the reason",
} as const;
const PAYMENT: readonly FormField[] = [
  {
    source: "method",
    label: "How it was paid",
    choices: PAYMENT_METHODS,
    needs: "Choose how it was paid",
  },
  {
    source: "reference",
    label: "Reference",
    max: REFERENCE_LENGTH,
    help: lengthOf(REFERENCE_LENGTH),
    needs: "Enter the payment reference",
  },
];

const ACTIONS: Readonly<
  Partial<Record<StaffResolution["stage"], readonly Omit<ResolutionAction, "body">[]>>
> = {
  requested: [
    {
      command: "accept",
      label: "Accept letter…",
      title: "Accept the letter?",
      consequence: "We'll email the owner that the letter was accepted, and how to pay.",
      confirm: "Accept letter",
      failed: "Failed to accept the letter",
    },
    {
      command: "refuse",
      label: "Refuse letter…",
      title: "Refuse the letter?",
      consequence: "We'll email the owner the reason. The owner can send another letter.",
      confirm: "Refuse letter",
      failed: "Failed to refuse the letter",
      fields: [REASON],
    },
  ],
  letter_accepted: [
    {
      command: "pay",
      label: "Record payment…",
      title: "Has the fee been received?",
      consequence:
        "The report shows the RESOLVED banner wherever it is public. We'll email the owner and all admins.",
      confirm: "Record payment",
      failed: "Failed to record the payment",
      fields: PAYMENT,
    },
  ],
  resolved: [
    {
      command: "pay",
      label: "Record second payment…",
      title: "Was the fee paid twice?",
      consequence: "Record it only to refund it: the banner stays. We'll email all admins.",
      confirm: "Record second payment",
      failed: "Failed to record the payment",
      fields: PAYMENT,
      isApart: true,
    },
  ],
};

/** Returns the available actions for a request at its stage. */
export function actionsFor({ request_id, stage }: StaffResolution): ResolutionAction[] {
  const again = stage === "resolved" ? { again: true } : {};
  return (ACTIONS[stage] ?? []).map((action) => ({ ...action, body: { request_id, ...again } }));
}

/** Returns the action that refunds a payment. */
export function refundOf(
  { payments }: StaffResolution,
  payment: StaffResolution["payments"][number],
): ResolutionAction {
  const isLast = payments.filter(({ refunded }) => !refunded).length === 1;
  const banner = isLast
    ? "It is the only payment, so the banner is removed."
    : "Another payment remains, so the banner stays.";
  return {
    command: "refund",
    label: "Refund…",
    title: "Refund this payment?",
    consequence: `${banner} Send the money back yourself; this only records it. We'll email the owner and all admins.`,
    confirm: "Record refund",
    failed: "Failed to record the refund",
    fields: [
      { source: "reason_code", label: "Reason", choices: REFUND_REASONS, needs: "Choose a reason" },
      { ...REASON, label: "Details" },
    ],
    body: { payment_id: payment.payment_id },
    isApart: true,
  };
}
