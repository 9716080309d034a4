import type { ResolutionCommandName, StaffResolution } from "#contracts/http/resolution.ts";
import {
  PAYMENT_METHODS,
  REFERENCE_LENGTH,
  REFUND_REASONS,
  RESOLUTION_REASON_LENGTH,
} from "#contracts/report/resolution.ts";
import { type FormField, lengthOf } from "../../../shared/fields.tsx";
import { longText } from "../../commands/report-commands.ts";

/** What a member of staff can do next about a request for the RESOLVED banner. */
export interface ResolutionAction {
  readonly command: ResolutionCommandName;
  readonly label: string;
  readonly title: string;
  /** What it will do. */
  readonly consequence: string;
  readonly confirm: string;
  readonly failed: string;
  readonly fields?: readonly FormField[];
  /** What is sent beside the answers. */
  readonly body: Readonly<Record<string, unknown>>;
  /** It is apart from the next step, in the color of a warning. */
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

/** What can be done at each stage; at the others nothing. */
const ACTIONS: Readonly<
  Partial<Record<StaffResolution["stage"], readonly Omit<ResolutionAction, "body">[]>>
> = {
  requested: [
    {
      command: "accept",
      label: "Accept letter…",
      title: "Accept the letter?",
      consequence: "We'll email the owner that the letter is in order, and how to pay.",
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
      title: "Has the fee arrived?",
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
      title: "Did the fee arrive twice?",
      consequence: "Record it only to refund it: the banner stays. We'll email all admins.",
      confirm: "Record second payment",
      failed: "Failed to record the payment",
      fields: PAYMENT,
      isApart: true,
    },
  ],
};

/** What can be done about a request that stands so. */
export function actionsFor({ request_id, stage }: StaffResolution): ResolutionAction[] {
  const again = stage === "resolved" ? { again: true } : {};
  return (ACTIONS[stage] ?? []).map((action) => ({ ...action, body: { request_id, ...again } }));
}

/** The refund of a payment. */
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
