import { secretReferences } from "../secrets/references.js";
import type { ControlDependencies } from "./control-dependencies.js";

/**
 * Reloads the plugins, restarts the channels and opens the listener again whose configuration refers to secrets.
 * @param names - names of the secrets that were changed
 * @param dependencies - live configuration, host and listener
 */
export async function applyChangedSecrets(
  names: readonly string[],
  {
    live,
    host,
    forPlugins,
    configureListener,
  }: Pick<ControlDependencies, "live" | "host" | "forPlugins" | "configureListener">,
): Promise<void> {
  const references = secretReferences(live.document);
  const paths = names.flatMap((name) => references.get(name) ?? []);
  const ids = paths.flatMap(([section, , id]) =>
    section === "plugins" && id !== undefined ? [id] : [],
  );
  const ofChannels = paths.filter(([section]) => section === "channels");
  if (paths.length === 0) return;
  const config = await forPlugins(live);
  live.replace(live.current, config);
  const listener = await configureListener?.(config, live);
  listener?.retire();
  for (const id of new Set(ids)) await host.plugins.reload(id, { config });
  if (ofChannels.length > 0) await host.channels.configure(config);
}
