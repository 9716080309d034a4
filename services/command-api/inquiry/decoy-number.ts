import { randomUUID } from "node:crypto";
import { caseNumber } from "#contracts/inquiry/case-number.ts";
import type { InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";

/** A number that belongs to no case. */
export const decoyNumber = (kind: InquiryKind): string => caseNumber(kind, randomUUID());
