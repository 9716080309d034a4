import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { given } from "#contracts/given.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";

/** What a mail about a copyright notice says to the reporter beside its words. */
export interface TakedownMail {
  /** Path of the page it leads to. */
  readonly path: string;
  readonly reason: string | undefined;
  /** Of the notice; absent where the mail is about none. */
  readonly number?: string;
  /** When a suspension ends, RFC 3339; absent when it does not. */
  readonly until?: string;
}

const COUNTER_NOTICE = "/dmca/counter-notice";
const SEARCH = "/search";
const POLICY = "/dmca";

/**
 * What a mail to the reporter about a copyright notice depends on.
 * @returns undefined when the event is about something else; null when it is not so any more.
 */
export function readTakedownMail(
  asking: ReportEvent,
  { holds, copies, status, warnings, held_back }: ReportState,
): TakedownMail | null | undefined {
  const isHeld = (copyId: string, notice: string) => {
    const copy = copies.find(({ copy_id }) => copy_id === copyId);
    return copy && !copy.hidden && !copy.erased ? copy.holds.includes(notice) : undefined;
  };
  switch (asking.type) {
    case "ReportTakenDown": {
      const { notice_id, personal } = asking.data;
      return holds.includes(notice_id) ? down(notice_id, personal?.reason) : null;
    }
    case "ReportPutBack":
      return status === "approved" ? back(asking.data.notice_id) : null;
    case "EvidenceWithheld": {
      const { notice_id, copy_id, personal } = asking.data;
      return isHeld(copy_id, notice_id) ? down(notice_id, personal?.reason) : null;
    }
    case "EvidenceReleased": {
      const { notice_id, copy_id } = asking.data;
      return isHeld(copy_id, notice_id) === false ? back(notice_id) : null;
    }
    case "ReporterWarned": {
      const { notice_id, until } = asking.data;
      if (!warnings.some((warning) => warning.notice_id === notice_id)) return null;
      const number = caseNumber("takedown", notice_id);
      return { path: POLICY, reason: undefined, number, ...given({ until }) };
    }
    case "SubmissionHeldBack":
      return held_back && { path: POLICY, reason: undefined, ...given(held_back) };
    default:
      return undefined;
  }
}

function down(notice: string, reason: string | undefined): TakedownMail {
  return { path: COUNTER_NOTICE, reason, number: caseNumber("takedown", notice) };
}

function back(notice: string): TakedownMail {
  return { path: SEARCH, reason: undefined, number: caseNumber("takedown", notice) };
}
