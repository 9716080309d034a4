import { openQuestion } from "#contracts/events/report/reporter-questions.ts";
import { given } from "#contracts/given.ts";
import type { AskedOfOwner, OwnReport } from "#contracts/http/own-reports.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { findAsked, OwnReportRow } from "./own-reports.queries.ts";

/** A report in its owner's list. */
export function presentOwnReport(row: OwnReportRow): OwnReport {
  const { id, report_type, title, first_name, last_name, currency, status, verified } = row;
  const question = row.questions.at(-1);
  return {
    id,
    report_type,
    title,
    first_name,
    last_name,
    currency,
    amount: fromCents(row.amount_cents),
    total_due: fromCents(row.total_due_cents),
    status,
    verified,
    resolved: row.resolved,
    view_count: row.views ?? 0,
    created_at: row.created_at.toISOString(),
    ...given({
      seo_title: status === "approved" ? row.slug : undefined,
      others_reported: status === "approved" ? row.others_reported === true : undefined,
      decided_at: row.decided_at?.toISOString(),
      rejection_reason: row.rejection_reason,
      question: question && {
        // One that has expired may still be open, and nobody can answer it any more.
        state: isOver(question) ? "closed" : question.state,
        asked_at: question.asked_at,
        ...given({ ended_at: question.ended_at }),
      },
    }),
  };
}

const isOver = ({ state, expires_at }: OwnReportRow["questions"][number]) =>
  state === "open" && new Date(expires_at) <= new Date();

/** The question that waits for the owner's answer; empty where none does. */
export function presentAsked(row: Awaited<ReturnType<typeof findAsked>>[number]): AskedOfOwner[] {
  const { id, title, first_name, last_name } = row;
  const open = openQuestion(row.questions);
  if (!open?.question) return [];
  const { question_id, question, asked_at, expires_at } = open;
  const of = { id, number: reportNumber(id), title, first_name, last_name };
  return [{ ...of, question_id, question, asked_at, expires_at }];
}
