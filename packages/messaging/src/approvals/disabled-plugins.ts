import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger, Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { Store } from "@openclaw/store";

const REASON = "plugin-disabled";
/** Limit far above the number of requests that are pending in practice. */
const MAX_PENDING = 10_000;

/** Dependencies of {@link cancelForDisabledPlugins}. */
export interface DisabledPluginsDependencies {
  readonly store: Pick<Store, "decisions">;
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  readonly plugins: Pick<PluginRuntime, "current" | "onChanged">;
  readonly logger: Logger;
}

/**
 * Cancels the approval requests of plugins that are no longer loaded: first of the plugins that were disabled
 * since the last start, later of each plugin that is unloaded (APPR-015).
 * @param dependencies - plugins and their approval requests
 * @returns function that stops cancelling
 */
export async function cancelForDisabledPlugins({
  store,
  approvals,
  plugins,
  logger,
}: DisabledPluginsDependencies): Promise<Unregister> {
  const disabled = new Set(
    plugins.current.plugins.flatMap(({ id, status }) => (status === "disabled" ? [id] : [])),
  );
  const waiting = await store.decisions.approvals.list({ state: "pending", limit: MAX_PENDING });
  const gone = new Set(
    waiting.flatMap(({ pluginId = "" }) => pluginId).filter((id) => disabled.has(id)),
  );
  for (const pluginId of gone) await approvals.cancelFor({ pluginId }, REASON);
  return plugins.onChanged(({ unloaded }) => {
    for (const pluginId of unloaded) {
      const done = approvals.cancelFor({ pluginId }, REASON);
      logRejection(done, logger);
    }
  });
}
