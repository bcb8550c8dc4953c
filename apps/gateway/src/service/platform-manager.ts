import { platform } from "node:process";
import { ServiceManagerMissingError } from "./errors.js";
import type { ServiceManager } from "./manager.js";

/**
 * Returns the service manager of this machine.
 * @param environment - environment variables of the command
 * @param system - name of the platform as in Node.js
 * @throws ServiceManagerMissingError on other platforms
 */
export async function serviceManager(
  environment: NodeJS.ProcessEnv,
  system: string = platform,
): Promise<ServiceManager> {
  if (system === "linux") {
    const { Systemd } = await import("./systemd.js");
    return new Systemd(environment);
  }
  if (system === "darwin") {
    const { Launchd } = await import("./launchd.js");
    return new Launchd(environment);
  }
  throw new ServiceManagerMissingError(
    "a service manager",
    `${system} has neither systemd nor launchd`,
    "run `openclaw gateway run` under the service manager of this system",
  );
}
