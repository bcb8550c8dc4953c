import { defined } from "@openclaw/foundation";
import type { PluginServiceContext } from "@openclaw/plugin-sdk";
import type { PluginInstance } from "../../instances/instance.js";
import type { PluginServiceRegistration } from "../../registration/service.js";
import { createGatewayEvents } from "../gateway-events.js";
import type { RuntimeContext } from "../host-runtime.js";
import { lackOf } from "../missing-capability.js";
import { RepeatedWorks } from "./repeated-works.js";

/**
 * Returns what creates the contexts of the services of a plugin (PLUG-036).
 * @param host - capabilities of the host, and channels of the plugin
 */
export function serviceContexts(
  instance: PluginInstance,
  host: RuntimeContext & { readonly channels: readonly string[] },
): PluginServiceRegistration["context"] {
  const { services, stateDir, workspaceDir } = host;
  const repeated = new RepeatedWorks(instance, services);
  return (signal, enter): PluginServiceContext => ({
    config: host.visibleConfig(instance.id, host.channels),
    ...defined({ workspaceDir }),
    get stateDir() {
      if (stateDir !== undefined) return stateDir;
      throw lackOf(instance.id, "a state folder");
    },
    logger: instance.logger,
    signal,
    gatewayEvents: createGatewayEvents(instance, services),
    repeat: (work) => repeated.add(work, signal, enter),
    ...defined({ getCron: services.getCron }),
  });
}
