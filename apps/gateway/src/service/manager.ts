import type { ServiceDefinition } from "./definition.js";

/** State of a service as its manager reports it. */
export interface ServiceState {
  /** True while the gateway runs, or is about to be restarted. */
  readonly isActive: boolean;
  /** True when it starts with the session of the user. */
  readonly isEnabled: boolean;
  readonly pid?: number | undefined;
  /** State in the words of the manager, for example `active (running)`. */
  readonly detail: string;
}

/** Service manager of the operating system: systemd or launchd. */
export interface ServiceManager {
  readonly name: string;
  /** Path of the unit or agent. */
  readonly file: string;
  /** Command that shows what the service printed. */
  readonly logs: string;
  /** Returns the content of the file. */
  render(service: ServiceDefinition): string;
  /**
   * Checks that this user can use the manager.
   * @throws ServiceManagerMissingError
   */
  check(): Promise<void>;
  /** Makes the manager read the file again, and start the service with the session. */
  enable(): Promise<void>;
  /** Stops the service, and makes the manager forget it; the file still exists. */
  disable(): Promise<void>;
  /** Called after the file was removed. */
  removed(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Returns a sentence about what keeps the service from running without a session; undefined if nothing does. */
  sessionNotice(): string | undefined;
}
