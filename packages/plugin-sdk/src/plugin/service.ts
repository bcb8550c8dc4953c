import type { CronService } from "../hooks/lifecycle.js";
import type { Logger } from "../logger.js";

/** What a service is started and stopped with. */
export interface PluginServiceContext {
  /** The host's configuration, frozen, secrets redacted. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Workspace of the host. */
  readonly workspaceDir?: string;
  /** The host's state folder; throws `RuntimeCapabilityError` on a host that keeps no files. */
  readonly stateDir: string;
  readonly logger: Logger;
  /** Aborts when the service is to stop. */
  readonly signal: AbortSignal;
  /** Scheduled jobs, on a host that has them. */
  getCron?(): CronService;
}

/** Something that runs for as long as the host does (PLUG-036). */
export interface PluginService {
  /** Unique among the services of the host. */
  id: string;
  /**
   * Begins; called after `gateway_start`, one service after another in the order of registration. The
   * next one is not kept waiting for longer than 5 seconds.
   * @param context - configuration, folders and logger
   */
  start(context: PluginServiceContext): unknown;
  /**
   * Ends; called in reverse order, for services that were started, with 5 seconds each.
   * @param context - the one it was started with
   */
  stop?(context: PluginServiceContext): unknown;
}

/**
 * Types a service apart from the plugin that registers it.
 * @param service - the service
 * @returns the same object, for `api.registerService`
 */
export function defineService(service: PluginService): PluginService {
  return service;
}
