import type { ResolutionCommandName, StaffResolution } from "#contracts/http/resolution.ts";
import { PAYMENT_METHODS, REFUND_REASONS } from "#contracts/report/resolution.ts";

/** A text, or one of some choices, that a dialog asks for. */
export interface AskedField {
  /** Its name in the command's body. */
  readonly name: string;
  readonly label: string;
  readonly choices?: Readonly<Record<string, string>>;
  /** Below it when it is empty. */
  readonly missing: string;
  readonly isLong?: true;
}

/** What a member of staff can do next about a request for the RESOLVED banner. */
export interface ResolutionAction {
  readonly command: ResolutionCommandName;
  readonly label: string;
  readonly title: string;
  /** What it will do. */
  readonly consequence: string;
  readonly confirm: string;
  readonly failed: string;
  readonly fields: readonly AskedField[];
  /** What is sent beside the answers. */
  readonly body: Readonly<Record<string, unknown>>;
  /** It is apart from the next step, in the color of a warning. */
  readonly isApart?: true;
}

const REASON: AskedField = {
  name: "reason",
  label: "Reason",
  missing: "A reason is needed",
  isLong: true,
};
const PAYMENT: readonly AskedField[] = [
  {
    name: "method",
    label: "How it was paid",
    choices: PAYMENT_METHODS,
    missing: "Choose how it was paid",
  },
  {
    name: "reference",
    label: "Reference",
    missing: "By what is the payment found in the books?",
  },
];

/** What can be done about a request that stands so. */
export function actionsFor(resolution: StaffResolution): ResolutionAction[] {
  const { request_id, stage } = resolution;
  const body = { request_id };
  if (stage === "requested")
    return [
      {
        command: "accept",
        label: "Accept letter…",
        title: "Accept the letter?",
        consequence: "The owner is told by email that the letter is in order, and how to pay.",
        confirm: "Accept letter",
        failed: "Failed to accept the letter",
        fields: [],
        body,
      },
      {
        command: "refuse",
        label: "Refuse letter…",
        title: "Refuse the letter?",
        consequence: "The owner is told by email, with the reason, and can send another letter.",
        confirm: "Refuse letter",
        failed: "Failed to refuse the letter",
        fields: [REASON],
        body,
      },
    ];
  if (stage === "letter_accepted")
    return [
      {
        command: "pay",
        label: "Note payment…",
        title: "Has the fee arrived?",
        consequence:
          "The report shows the RESOLVED banner wherever it is public. The owner and all admins are told by email.",
        confirm: "Note payment",
        failed: "Failed to note the payment",
        fields: PAYMENT,
        body,
      },
    ];
  if (stage === "resolved")
    return [
      {
        command: "pay",
        label: "Note second payment…",
        title: "Has the fee come a second time?",
        consequence:
          "Note it only to refund it: the banner stays as it is. All admins are told by email.",
        confirm: "Note second payment",
        failed: "Failed to note the payment",
        fields: PAYMENT,
        body: { ...body, again: true },
        isApart: true,
      },
    ];
  return [];
}

/** The refund of a payment. */
export function refundOf(
  { payments }: StaffResolution,
  payment: StaffResolution["payments"][number],
): ResolutionAction {
  const isLast = payments.filter(({ refunded }) => !refunded).length === 1;
  return {
    command: "refund",
    label: "Refund…",
    title: "Refund this payment?",
    consequence: isLast
      ? "It is the only payment, so the banner is removed. Send the money back yourself; this only notes it. The owner and all admins are told by email."
      : "Another payment remains, so the banner stays. Send the money back yourself; this only notes it. The owner and all admins are told by email.",
    confirm: "Note refund",
    failed: "Failed to note the refund",
    fields: [
      {
        name: "reason_code",
        label: "Why",
        choices: REFUND_REASONS,
        missing: "Choose why",
      },
      REASON,
    ],
    body: { payment_id: payment.payment_id },
    isApart: true,
  };
}
