import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Unregister } from "@openclaw/plugin-sdk";
import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { Store } from "@openclaw/store";

const REASON = "plugin-disabled";
/** More than people could have left unanswered. */
const MOST_PENDING = 10_000;

/** What calling off needs of a host. */
export interface DisabledAskersHost {
  readonly store: Pick<Store, "approvals">;
  readonly approvals: Pick<ApprovalBroker, "cancelFor">;
  readonly plugins: Pick<PluginRuntime, "current" | "onChanged">;
  readonly logger: Logger;
}

/**
 * Calls off what plugins asked that are not there any more: those that were disabled since the last start,
 * and from now on each that leaves (APPR-015).
 * @param host - plugins and their questions
 * @returns ends it
 */
export async function callOffDisabledAskers({
  store,
  approvals,
  plugins,
  logger,
}: DisabledAskersHost): Promise<Unregister> {
  const disabled = new Set(
    plugins.current.plugins.flatMap(({ id, status }) => (status === "disabled" ? [id] : [])),
  );
  const waiting = await store.approvals.list({ state: "pending", limit: MOST_PENDING });
  const gone = new Set(
    waiting.flatMap(({ pluginId = "" }) => pluginId).filter((id) => disabled.has(id)),
  );
  for (const pluginId of gone) await approvals.cancelFor({ pluginId }, REASON);
  return plugins.onChanged(({ unloaded }) => {
    for (const pluginId of unloaded) {
      const done = approvals.cancelFor({ pluginId }, REASON);
      logRejection(
        done.then(() => undefined),
        logger,
      );
    }
  });
}
