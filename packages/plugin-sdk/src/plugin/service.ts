import type { CronService } from "../hooks/lifecycle.js";
import type { GatewayEvents } from "../http/gateway-events.js";
import type { Logger } from "../logger.js";

/** Work that a service repeats. */
export interface RepeatedWork {
  /** Lower-case letters, digits and `-`, unique in the plugin; the host lists it as `<plugin>/<name>`. */
  readonly name: string;
  /** Time between two runs, and before the first one, in milliseconds: a whole number from 1000 to 2147483647. */
  readonly intervalMs: number;
  /** Does the work once. A throw is logged, and the work is done again after the interval. */
  run(): unknown;
}

/** Context of a service. */
export interface PluginServiceContext {
  /** Configuration of the host, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Workspace of the host. */
  readonly workspaceDir?: string;
  /** State folder of the host; throws `RuntimeCapabilityError` on a host without files. */
  readonly stateDir: string;
  readonly logger: Logger;
  /** Aborts when the service must stop. */
  readonly signal: AbortSignal;
  /** Events for connected clients, as `api.gatewayEvents`. */
  readonly gatewayEvents: GatewayEvents;
  /**
   * Repeats work until the service is stopped. The host lists it among its background tasks, where an operator can pause it
   * and run it at once.
   * @param work - name, interval and what to do
   * @throws PluginRegistrationError for an invalid name or interval, for a name that the plugin already repeats, and when
   * the service was stopped
   * @throws RuntimeCapabilityError on a host without background tasks
   */
  repeat(work: RepeatedWork): void;
  /** Scheduled jobs; absent on a host without them. */
  getCron?(): CronService;
}

/** Service that runs while the host runs (PLUG-036). */
export interface PluginService {
  /** Id, unique among the services of the host. */
  id: string;
  /**
   * Starts the service. Services start after `gateway_start`, sequentially in the order of registration; after
   * 5 seconds the next one starts without waiting for this one.
   * @param context - configuration, folders and logger
   */
  start(context: PluginServiceContext): unknown;
  /**
   * Stops the service. Started services stop in reverse order, with 5 seconds for each.
   * @param context - the context passed to `start`
   */
  stop?(context: PluginServiceContext): unknown;
}

/**
 * Defines a typed service outside the plugin that registers it.
 * @returns the same object, for `api.registerService`
 */
export function defineService(service: PluginService): PluginService {
  return service;
}
