import { budgetCalendar } from "@openclaw/agent";
import { sumUsage, type UsageQuery, type UsageReport, usageTable } from "@openclaw/messaging";
import { type GatewayMethodParameters, usageMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";
import { openExistingStore } from "../state/store.js";
import type { DatabaseOwner } from "../upkeep/database.js";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days of a period without `from`. */
const USAGE_DAYS = 30;

/**
 * Creates the methods that sum the calls of models (GW-029, UI-030).
 * @param store - calls of models and journals
 */
export function createUsageMethods(
  host: Pick<Host, "services">,
  store: Store,
): MethodRegistry<typeof usageMethods> {
  const complete = (query: GatewayMethodParameters<"usage.query">): UsageQuery => {
    const present = host.services.now();
    const { from = present - USAGE_DAYS * DAY_MS, to = present, groupBy = "day" } = query;
    const { timeZone = budgetCalendar(host.services.budgets ?? {}).zone } = query;
    return { ...query, from, to, groupBy, timeZone };
  };
  return MethodRegistry.of(usageMethods, {
    "usage.query": async (query) => await sumUsage(complete(query), store),
    "usage.export": async (query) => {
      const whole = complete(query);
      return {
        fileName: `usage-by-${whole.groupBy}.csv`,
        contentType: "text/csv",
        content: usageTable(whole.groupBy, await sumUsage(whole, store)),
      };
    },
  });
}

/**
 * Sums the model calls that a host has stored, which may be running. No plugin is loaded.
 * @param query - period, filter and groups
 * @param owner - owner of the database; without a database there are no calls
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function storedUsage(
  query: UsageQuery,
  owner: DatabaseOwner,
): Promise<{ readonly report: UsageReport; readonly table: string }> {
  const store = await openExistingStore(owner);
  try {
    const report = await sumUsage(query, store);
    return { report, table: usageTable(query.groupBy, report) };
  } finally {
    await store.close();
  }
}
