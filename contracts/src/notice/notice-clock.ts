import { beginOfBusinessDay, calendarDay, endOfBusinessDay } from "./business-days.ts";
import { COUNTER_NOTICE_DAYS, NOTICE_HOURS } from "./notice-promises.ts";

/** When a notice must be decided at the latest. */
export function noticeDueAt(received: Date): Date {
  return new Date(received.getTime() + NOTICE_HOURS * 3_600_000);
}

/** Between which moments the material of a counter-notice is to be back. */
export function backBetween(received: Date): { readonly from: Date; readonly to: Date } {
  const { from, to } = COUNTER_NOTICE_DAYS;
  return { from: beginOfBusinessDay(received, from), to: endOfBusinessDay(received, to) };
}

/** The first and the last of these days, `2026-12-08`, by the calendar of the east coast. */
export function backDays(received: Date): { readonly first: string; readonly last: string } {
  const { from, to } = backBetween(received);
  return { first: calendarDay(from), last: calendarDay(new Date(to.getTime() - 1)) };
}
