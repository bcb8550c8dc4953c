import { existsSync } from "node:fs";
import { ServiceManagerMissingError } from "./errors.js";
import type { ServiceManager } from "./manager.js";
import { serviceManager } from "./platform-manager.js";

/**
 * Returns the service manager of an installed service; undefined when none is installed.
 * @param environment - environment variables of the command
 */
export async function installedServiceManager(
  environment: NodeJS.ProcessEnv,
): Promise<ServiceManager | undefined> {
  try {
    const manager = await serviceManager(environment);
    return existsSync(manager.file) ? manager : undefined;
  } catch (error) {
    if (ServiceManagerMissingError.isInstance(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the service manager if this user can use one; undefined otherwise.
 * @param environment - environment variables of the command
 */
export async function usableServiceManager(
  environment: NodeJS.ProcessEnv,
): Promise<ServiceManager | undefined> {
  try {
    const manager = await serviceManager(environment);
    await manager.check();
    return manager;
  } catch (error) {
    if (ServiceManagerMissingError.isInstance(error)) return undefined;
    throw error;
  }
}
