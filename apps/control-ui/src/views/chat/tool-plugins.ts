import { effect, signal } from "@preact/signals";
import { call, gateway, mayCall, onEvent } from "../../state/link.js";

/** Plugins by the names of the tools that they offer now. */
export const toolPlugins = signal<ReadonlyMap<string, string>>(new Map());

async function load(): Promise<void> {
  if (!mayCall("tools.catalog")) return;
  try {
    const { tools } = await call("tools.catalog", {});
    toolPlugins.value = new Map(
      tools.flatMap(({ name, pluginId }) => (pluginId === undefined ? [] : [[name, pluginId]])),
    );
  } catch {
    // A lost connection, which the status line shows; the next one reads them again.
  }
}

effect(() => {
  if (gateway.value !== undefined) void load();
});
onEvent("plugins.changed", () => void load());
