import { PluginLoadError } from "@openclaw/plugin-loader";
import type { PluginInstance } from "../instances/instance.js";
import type { PluginServiceRegistration } from "../registration/service.js";
import { SERVICE_DEADLINE_MS, type ServiceRunner, type ServiceStart } from "./service-runner.js";

/**
 * Starts services of active plugins. A service that cannot start causes a diagnostic, and the
 * others continue; a slow one is not awaited (PLUG-036).
 * @param services - in the order of registration
 * @param instances - their plugins
 * @param runner - starts and stops services
 */
export async function startServices(
  services: readonly PluginServiceRegistration[],
  instances: readonly PluginInstance[],
  runner: ServiceRunner,
): Promise<void> {
  for (const item of services) {
    const start = await runner.start(item);
    const instance = instances.find(({ id }) => id === item.pluginId);
    if (start.status !== "started") instance?.diagnose(tellStart(item, start));
  }
}

/**
 * Starts the services of a plugin that is not active yet; all of them must start (PLUG-049).
 * @param services - those of the plugin, in the order of registration
 * @param runner - starts and stops services
 * @returns the reason not to use the plugin; none of its services runs then
 */
export async function startServicesAside(
  services: readonly PluginServiceRegistration[],
  instance: PluginInstance,
  runner: ServiceRunner,
): Promise<PluginLoadError | undefined> {
  for (const item of services) {
    const start = await runner.start(item);
    if (start.status === "started") continue;
    await runner.stop(services);
    return new PluginLoadError({
      pluginId: instance.id,
      problem: "service-failed",
      message: `its service "${item.service.id}" could not be started: ${reasonOf(start)}`,
      hint: "correct its start; while a plugin is reloaded the old one still runs and holds exclusive resources, such as a port",
      file: item.source,
    });
  }
  return undefined;
}

/**
 * Returns the diagnostic for a service that could not start, or starts slowly.
 * @param registration - the service
 * @param start - result of the start
 */
function tellStart(
  { pluginId, service }: PluginServiceRegistration,
  start: Exclude<ServiceStart, { status: "started" }>,
) {
  return start.status === "slow"
    ? ({
        level: "warn",
        code: "service-slow",
        message: `service "${service.id}" of plugin "${pluginId}" ${reasonOf(start)}; the next one was started meanwhile`,
        hint: "let start return once the work is under way, and do the rest in the background",
      } as const)
    : ({
        level: "error",
        code: "service-failed",
        message: `service "${service.id}" of plugin "${pluginId}" could not be started: ${start.reason}`,
        hint: "correct its start, and reload the plugin; the rest of the plugin works",
      } as const);
}

function reasonOf(start: Exclude<ServiceStart, { status: "started" }>): string {
  return start.status === "slow" ? `did not start within ${SERVICE_DEADLINE_MS} ms` : start.reason;
}
