import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { saveFile } from "../../components/save-file.js";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call } from "../../state/link.js";

/** Kinds of groups, in the order of their tabs. */
export const GROUPS = ["agent", "session", "model", "tool", "sender", "job"] as const;
/** Period, filter and groups of sums. */
export type UsageQuery = GatewayMethodParameters<"usage.query"> & {
  readonly groupBy: (typeof GROUPS)[number];
};
/** Group of calls with its sums. */
export type UsageGroup = GatewayMethodResult<"usage.query">["groups"][number];
/** Sums of calls. */
export type UsageSums = GatewayMethodResult<"usage.query">["total"];

/** Sums of the view; undefined before the first read. */
export const report = signal<
  | (GatewayMethodResult<"usage.query"> & {
      readonly query: UsageQuery;
      /** Days of the period. */
      readonly days: readonly string[];
    })
  | undefined
>(undefined);
/** Failure of a read or of the export. */
export const fault = signal<Fault | undefined>(undefined);

let newest = 0;

/**
 * Reads sums; of several reads at once the last one counts.
 * @param query - period, filter and groups
 * @param days - days of the period
 */
export async function loadUsage(query: UsageQuery, days: readonly string[]): Promise<void> {
  newest += 1;
  const own = newest;
  try {
    const read = await call("usage.query", query);
    if (own !== newest) return;
    report.value = { ...read, query, days };
    fault.value = undefined;
  } catch (error) {
    if (own === newest) fault.value = faultOf(error);
  }
}

/**
 * Saves the sums that the view shows.
 * @param query - period, filter and groups
 */
export async function exportUsage(query: UsageQuery): Promise<void> {
  try {
    const { fileName, content, contentType } = await call("usage.export", query);
    saveFile(content, fileName, contentType);
    fault.value = undefined;
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/** Unit of the plot and of the shares. */
export type Unit = "cost" | "tokens" | "calls";

/**
 * Returns the figure of a unit, for lengths.
 * @param sums - sums of calls
 */
export function figureOf(sums: Omit<UsageSums, "key">, unit: Unit): number {
  if (unit === "tokens") return sums.totalTokens;
  return unit === "calls" ? sums.count : Number(sums.costUsd);
}

/**
 * Returns an amount of dollars with four digits; its title has all of them.
 * @param usd - decimal number as the gateway sends it
 */
export function exactCost(usd: string): string {
  return `$${Number(usd).toFixed(4)}`;
}

effect(() => {
  if (token.value !== undefined) return;
  report.value = undefined;
  fault.value = undefined;
});
