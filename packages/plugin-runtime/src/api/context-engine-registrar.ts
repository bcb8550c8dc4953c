import type { ContextEngineFactory } from "@openclaw/plugin-sdk/plugin-entry";
import { readContextEngine } from "../registration/context-engine.js";
import type { Registrar } from "../registration/registrar.js";
import type { RuntimeContext } from "./host-runtime.js";

/** Arguments of a plugin, and the configuration as it may see it. */
export interface ContextEngineInput {
  readonly id: string;
  readonly factory: ContextEngineFactory;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Registers a context engine. It is used when the slot names it or its plugin; otherwise the diagnostics say how to
 * choose it (PLUG-056).
 * @param registrar - adds the registration
 * @param host - folders of the host
 * @param input - arguments of the plugin
 */
export function registerContextEngine(
  registrar: Registrar,
  { workspaceDir, services }: Pick<RuntimeContext, "workspaceDir" | "services">,
  { id, factory, config }: ContextEngineInput,
): void {
  const member = "registerContextEngine";
  const { instance } = registrar;
  const slot = slotOf(config);
  const item = registrar.read(member, () =>
    readContextEngine(instance.origin, id, factory, { slot, config, workspaceDir }),
  );
  if (item === undefined) return;
  registrar.add(member, "contextEngines", () => item);
  instance.onDispose(() => item.dispose());
  if (item.chosen || services.hosts?.includes("contextEngines") !== true) return;
  instance.diagnose({
    level: "info",
    code: "slot-taken",
    message: `the context engine "${item.id}" of plugin "${instance.id}" is not used: plugins.slots.contextEngine does not name it`,
    hint: `set plugins.slots.contextEngine: "${instance.id}"`,
  });
}

function slotOf({ plugins }: Readonly<Record<string, unknown>>): unknown {
  const { slots } = (plugins ?? {}) as { readonly slots?: { readonly contextEngine?: unknown } };
  return slots?.contextEngine;
}
