import { dayName } from "../../text/format.js";
import { text } from "./messages.js";

const DAY_MS = 24 * 60 * 60_000;
/** Days of the period that is shown without a choice. */
const DAYS = 30;

/** Values of the period in the URL. */
export const PERIODS = ["7", "90", "month", "last-month", "custom"] as const;

/** Days in the calendar, both included. */
export interface Period {
  /** For example `2026-11-30`. */
  readonly first: string;
  readonly last: string;
  /** Name of the period within a sentence. */
  readonly words: string;
}

/** Choice of a period, as the URL has it. */
export interface PeriodChoice {
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly isUtc: boolean;
}

/**
 * Returns the days that a person chose.
 * @param choice - values of the URL
 * @param at - present time
 */
export function periodOf({ period, from, to, isUtc }: PeriodChoice, at: number): Period {
  const today = dateAt(at, isUtc);
  const month = today.slice(0, "2026-01".length);
  if (period === "month") return { first: `${month}-01`, last: today, words: text.inMonth };
  if (period === "last-month") {
    const last = dayAfter(`${month}-01`, -1);
    return { first: `${last.slice(0, month.length)}-01`, last, words: text.inLastMonth };
  }
  if (period === "custom" && isDate(from) && isDate(to) && from <= to) {
    return { first: from, last: to, words: text.between(dayName(from), dayName(to)) };
  }
  const days = period === "7" || period === "90" ? Number(period) : DAYS;
  return { first: dayAfter(today, 1 - days), last: today, words: text.lastDays(days) };
}

/**
 * Returns the limits of a period for the gateway. The clock of the browser knows when its days begin, also where daylight
 * saving time makes one longer.
 * @param period - days
 * @param isUtc - true for days of UTC
 */
export function limitsOf({ first, last }: Period, isUtc: boolean): { from: number; to: number } {
  return { from: startOf(first, isUtc), to: startOf(dayAfter(last, 1), isUtc) };
}

/**
 * Returns every day of a period, also those without a call.
 * @param period - days
 */
export function daysOf({ first, last }: Period): readonly string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => dayAfter(first, index));
}

/**
 * Returns which part of the present month is over, from 0 to 1.
 * @param at - present time
 * @param isUtc - true for the month of UTC
 */
export function passedPartOfMonth(at: number, isUtc: boolean): number {
  const first = `${dateAt(at, isUtc).slice(0, "2026-01".length)}-01`;
  const next = `${dayAfter(first, 31).slice(0, "2026-01".length)}-01`;
  const [start, end] = [startOf(first, isUtc), startOf(next, isUtc)];
  return (at - start) / (end - start);
}

/** The calendar is the same in every time zone, so dates are counted in UTC. */
function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, "2026-01-31".length);
}

function startOf(date: string, isUtc: boolean): number {
  return new Date(`${date}T00:00${isUtc ? "Z" : ""}`).getTime();
}

function dateAt(at: number, isUtc: boolean): string {
  const day = new Date(at);
  if (isUtc) return day.toISOString().slice(0, "2026-01-31".length);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
