import { installedServiceManager } from "./installed.js";
import type { ServiceManager } from "./manager.js";

/**
 * Returns the manager of the installed service when the service runs.
 * @param environment - environment variables of the command
 * @throws ServiceManagerMissingError when the manager of an installed service does not respond
 */
export async function activeService(
  environment: NodeJS.ProcessEnv,
): Promise<ServiceManager | undefined> {
  const manager = await installedServiceManager(environment);
  if (manager === undefined) return undefined;
  await manager.check();
  return (await manager.state()).isActive ? manager : undefined;
}
