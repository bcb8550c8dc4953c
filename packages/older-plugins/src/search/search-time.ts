/** Messages of the errors about the time of results. */
export interface TimeFilterMessages {
  readonly invalidFreshnessMessage: string;
  readonly invalidDateAfterMessage: string;
  readonly invalidDateBeforeMessage: string;
  readonly invalidDateRangeMessage: string;
}

/** Time of results, or the error about it that a model reads. */
export type TimeFilters =
  | {
      readonly freshness: string | undefined;
      readonly dateAfter: string | undefined;
      readonly dateBefore: string | undefined;
    }
  | { readonly error: string; readonly message: string; readonly docs: string };

const DOCS = "https://docs.openclaw.ai/tools/web";
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const SHORT = new Map([
  ["day", "pd"],
  ["week", "pw"],
  ["month", "pm"],
  ["year", "py"],
]);

/**
 * Reads the time of results from the arguments of a search.
 * @param given - arguments, provider whose spelling is used, and messages of errors
 * @deprecated Read the arguments yourself.
 */
export function parseWebSearchTimeFilters(
  given: TimeFilterMessages & {
    readonly rawFreshness?: string | undefined;
    readonly rawDateAfter?: string | undefined;
    readonly rawDateBefore?: string | undefined;
    readonly freshnessProvider?: string;
  },
): TimeFilters {
  const { rawFreshness, rawDateAfter: dateAfter, rawDateBefore: dateBefore } = given;
  const failed = (error: string, message: string) => ({ error, message, docs: DOCS });
  if (rawFreshness !== undefined && (dateAfter ?? dateBefore) !== undefined) {
    const message = "freshness and date_after or date_before exclude each other; give one of them";
    return failed("conflicting_time_filters", message);
  }
  const freshness = freshnessOf(rawFreshness, given.freshnessProvider === "brave");
  if (rawFreshness !== undefined && freshness === undefined) {
    return failed("invalid_freshness", given.invalidFreshnessMessage);
  }
  if (dateAfter !== undefined && !isDate(dateAfter)) {
    return failed("invalid_date", given.invalidDateAfterMessage);
  }
  if (dateBefore !== undefined && !isDate(dateBefore)) {
    return failed("invalid_date", given.invalidDateBeforeMessage);
  }
  if (dateAfter !== undefined && dateBefore !== undefined && dateAfter > dateBefore) {
    return failed("invalid_date_range", given.invalidDateRangeMessage);
  }
  return { freshness, dateAfter, dateBefore };
}

function freshnessOf(text: string | undefined, isShort: boolean): string | undefined {
  const given = text?.trim().toLowerCase() ?? "";
  const [word, code] = [...SHORT].find((pair) => pair.includes(given)) ?? [];
  if (word !== undefined) return isShort ? code : word;
  const [from = "", to = "", ...more] = given.split("to");
  return isShort && more.length === 0 && isDate(from) && isDate(to) && from <= to
    ? given
    : undefined;
}

function isDate(text: string): boolean {
  return DATE.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}
