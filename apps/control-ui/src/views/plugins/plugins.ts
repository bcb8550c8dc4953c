import type { GatewayMethodName } from "@openclaw/client";
import type {
  GatewayMethodParameters,
  GatewayMethodResult,
  PluginChange,
} from "@openclaw/protocol";
import { effect, signal } from "@preact/signals";
import { token } from "../../state/credential.js";
import { type Fault, faultOf } from "../../state/fault.js";
import { call, isLive, missingScope, onEvent, onOpened } from "../../state/link.js";
import { text } from "./messages.js";

/** Description of one plugin. */
export type PluginDetails = GatewayMethodResult<"plugins.inspect">;

/** Plugins of the gateway; undefined before the first read. */
export const plugins = signal<GatewayMethodResult<"plugins.list"> | undefined>(undefined);
/** Plugin of the page. */
export const details = signal<PluginDetails | undefined>(undefined);
/** Failure of a read or of a change. */
export const fault = signal<Fault | undefined>(undefined);
/** Result of the last change, with the plugin that it was about. */
export const lastChange = signal<
  { readonly id?: string; readonly change: PluginChange } | undefined
>(undefined);
/** True while a change is under way. */
export const isWorking = signal(false);

/** Methods that change plugins. */
type ChangeMethod = Extract<
  GatewayMethodName,
  | "plugins.enable"
  | "plugins.disable"
  | "plugins.reload"
  | "plugins.install"
  | "plugins.update"
  | "plugins.accept"
  | "plugins.uninstall"
>;

/** Reads the list of plugins. */
export async function loadPlugins(): Promise<void> {
  try {
    plugins.value = await call("plugins.list", {});
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/**
 * Reads one plugin.
 * @param id - ID of the plugin
 */
export async function loadPlugin(id: string): Promise<void> {
  if (details.value?.id !== id) {
    details.value = undefined;
    fault.value = undefined;
  }
  try {
    details.value = await call("plugins.inspect", { id });
  } catch (error) {
    fault.value = faultOf(error);
  }
}

/**
 * Changes plugins with the method that the command line uses.
 * @returns the result; undefined when it failed, with the failure on the page
 */
export async function changePlugins<Name extends ChangeMethod>(
  method: Name,
  parameters: GatewayMethodParameters<Name>,
): Promise<PluginChange | undefined> {
  if (isWorking.value) return undefined;
  isWorking.value = true;
  fault.value = undefined;
  try {
    const change = await call(method, parameters);
    const { id } = { id: undefined, ...parameters };
    lastChange.value = { change, ...(typeof id === "string" ? { id } : {}) };
    await loadPlugins();
    return change;
  } catch (error) {
    fault.value = faultOf(error);
    return undefined;
  } finally {
    isWorking.value = false;
  }
}

/**
 * Reads how the current version of a plugin differs from the installed one, which stays as it is.
 * @param id - ID of the plugin
 * @returns the differences; undefined when they could not be read, with the failure on the page
 */
export async function previewUpdate(id: string): Promise<PluginChange | undefined> {
  if (isWorking.value) return undefined;
  isWorking.value = true;
  fault.value = undefined;
  try {
    return await call("plugins.update", { id, preview: true });
  } catch (error) {
    fault.value = faultOf(error);
    return undefined;
  } finally {
    isWorking.value = false;
  }
}

/** Returns why plugins cannot be changed now; undefined when they can. */
export function closedBecause(): string | undefined {
  const missing = missingScope("operator.admin");
  if (missing !== undefined) return text.needsScope(missing);
  if (!isLive.value) return text.noConnection;
  return isWorking.value ? text.working : undefined;
}

/**
 * Returns a change as a sentence.
 * @param change - result of the gateway
 * @param id - plugin that it was about
 */
export function outcomeWords({ outcome, generation, plugin }: PluginChange, id?: string): string {
  const name = plugin?.id ?? id ?? text.all;
  if (outcome === "loaded") return text.outcomeLoaded(name, generation);
  if (outcome === "kept") return text.outcomeKept(name, generation);
  return outcome === "failed" ? text.outcomeFailed(name) : text.outcomeUnloaded(name, generation);
}

function follow(): void {
  if (plugins.value === undefined) return;
  void loadPlugins();
  if (details.value !== undefined) void loadPlugin(details.value.id);
}

onOpened(follow);
onEvent("plugins.changed", follow);
effect(() => {
  if (token.value !== undefined) return;
  plugins.value = undefined;
  details.value = undefined;
  fault.value = undefined;
  lastChange.value = undefined;
});
