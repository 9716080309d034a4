import { COUNTER_NOTICE_DAYS, NOTICE_HOURS } from "./notice-promises.ts";

/** Returns the deadline for deciding a notice. */
export function noticeDueAt(received: Date): Date {
  return new Date(received.getTime() + NOTICE_HOURS * 3_600_000);
}

/** Returns the period in which the material of a counter-notice must be restored. */
export function backBetween(received: Date): { readonly from: Date; readonly to: Date } {
  const { from, to } = COUNTER_NOTICE_DAYS;
  return { from: beginOfBusinessDay(received, from), to: endOfBusinessDay(received, to) };
}

/** Returns the first and the last day of that period in Eastern Time, such as `2026-12-08`. */
export function backDays(received: Date): { readonly first: string; readonly last: string } {
  const { from, to } = backBetween(received);
  return { first: calendarDay(from), last: calendarDay(new Date(to.getTime() - 1)) };
}

/** US business days: no weekends and no legal holidays (5 U.S.C. 6103), in Eastern Time. */
const ZONE = "America/New_York";
const SATURDAY = 6;
const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const DAY_MS = 24 * 3_600_000;

const DAY = new Intl.DateTimeFormat("en-CA", {
  timeZone: ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});
const HOUR = new Intl.DateTimeFormat("en-US", {
  timeZone: ZONE,
  hour: "numeric",
  hourCycle: "h23",
});

/** A calendar day, as the midnight of UTC that begins it. */
type Day = Date;

/**
 * Returns the nth weekday of a month; the last one if `nth` is -1.
 * @param month 0 to 11.
 */
function nthOf(year: number, month: number, weekday: number, nth: 1 | 2 | 3 | 4 | -1): Day {
  if (nth === -1) {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return plus(last, -((last.getUTCDay() - weekday + 7) % 7));
  }
  const first = new Date(Date.UTC(year, month, 1));
  return plus(first, ((weekday - first.getUTCDay() + 7) % 7) + 7 * (nth - 1));
}

/** Returns when a holiday is observed: on Friday if it falls on a Saturday, on Monday if it falls on a Sunday. */
function observed(year: number, month: number, dayOfMonth: number): Day {
  const day = new Date(Date.UTC(year, month, dayOfMonth));
  const weekday = day.getUTCDay();
  return plus(day, weekday === SATURDAY ? -1 : weekday === SUNDAY ? 1 : 0);
}

/** Returns the eleven holidays of a year, as observed. */
function holidaysOf(year: number): readonly Day[] {
  return [
    observed(year, 0, 1),
    nthOf(year, 0, MONDAY, 3),
    nthOf(year, 1, MONDAY, 3),
    nthOf(year, 4, MONDAY, -1),
    observed(year, 5, 19),
    observed(year, 6, 4),
    nthOf(year, 8, MONDAY, 1),
    nthOf(year, 9, MONDAY, 2),
    observed(year, 10, 11),
    nthOf(year, 10, THURSDAY, 4),
    observed(year, 11, 25),
  ];
}

/** Whether a calendar day is a business day. */
export function isBusinessDay(day: Day): boolean {
  const weekday = day.getUTCDay();
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  const year = day.getUTCFullYear();
  // New Year's Day of the next year may be observed in this one.
  const holidays = [...holidaysOf(year), ...holidaysOf(year + 1)];
  return !holidays.some((holiday) => holiday.getTime() === day.getTime());
}

/**
 * Returns when a business day begins.
 * @param received when something arrived.
 * @param nth 1 is the first business day after that day.
 */
export function beginOfBusinessDay(received: Date, nth: number): Date {
  let day = dayOf(received);
  for (let left = nth; left > 0; ) {
    day = plus(day, 1);
    if (isBusinessDay(day)) left -= 1;
  }
  return midnightOf(day);
}

/** Returns when a business day ends. Counts like {@link beginOfBusinessDay}. */
export function endOfBusinessDay(received: Date, nth: number): Date {
  return midnightOf(plus(dayOf(beginOfBusinessDay(received, nth)), 1));
}

/** Returns the Eastern Time date of a moment, such as `2026-12-08`. */
function calendarDay(moment: Date): string {
  return DAY.format(moment);
}

function dayOf(moment: Date): Day {
  return new Date(`${calendarDay(moment)}T00:00:00Z`);
}

/** Returns when a calendar day begins in Eastern Time: four or five hours after it does in UTC. */
function midnightOf(day: Day): Date {
  const begin = new Date(day.getTime() + 4 * 3_600_000);
  return Number(HOUR.format(begin)) === 0 ? begin : new Date(begin.getTime() + 3_600_000);
}

function plus(day: Day, days: number): Day {
  return new Date(day.getTime() + days * DAY_MS);
}
