import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The machine has no service manager that this user can use, so nothing can run as a service. */
export class ServiceManagerMissingError extends OpenClawError {
  static override readonly code = "SERVICE_MANAGER_MISSING";
  static override readonly kind = "unavailable";

  constructor(manager: string, problem: string, nextStep: string) {
    super(`cannot use ${manager}: ${problem}; ${nextStep}`);
  }
}

/** The file of the service cannot be replaced or removed, because it was not written by this version or an older one. */
export class ServiceFileForeignError extends OpenClawError {
  static override readonly code = "SERVICE_FILE_FOREIGN";
  static override readonly kind = "conflict";

  constructor(file: string, origin: string, nextStep: string) {
    super(`${file} was ${origin}; ${nextStep}`);
  }
}

/** No service is installed. */
export class ServiceNotInstalledError extends OpenClawError {
  static override readonly code = "SERVICE_NOT_INSTALLED";
  static override readonly kind = "not-found";

  constructor(file: string, command: string) {
    super(`no service is installed (${file} not found); run \`${command} service install\``);
  }
}

/** A command of the service manager failed. */
export class ServiceCommandError extends OpenClawError {
  static override readonly code = "SERVICE_COMMAND_FAILED";
  static override readonly kind = "unavailable";

  constructor(command: string, problem: string, logs: string) {
    super(`\`${command}\` failed: ${problem}; see \`${logs}\``);
  }
}
