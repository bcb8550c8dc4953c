import type { Fields } from "../define/fields.js";
import type { DispatchDetails } from "./dispatch.js";
import type { DispatchRecord } from "./record.js";

/** Details of a dispatch with a result. */
export function detailsOf(
  record: DispatchRecord,
  result: Fields | undefined,
): DispatchDetails<Fields> {
  const { outcome, decidedBy, error } = record;
  return {
    result,
    outcome: outcome === "denied" || outcome === "terminal" ? outcome : "completed",
    ...(decidedBy === undefined ? {} : { decidedBy: decidedBy.entry.registration.identity }),
    ...(error === undefined ? {} : { failure: error }),
    called: record.handlers
      .filter(({ ran }) => ran)
      .map(({ entry }) => entry.registration.identity),
    contributions: record.handlers.flatMap(({ entry, result: contributed, remark }) =>
      contributed === undefined && remark === undefined
        ? []
        : [
            {
              registration: entry.registration.identity,
              result: contributed ?? {},
              ...(remark === undefined ? {} : { note: remark }),
            },
          ],
    ),
  };
}
