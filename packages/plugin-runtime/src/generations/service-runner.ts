import { DeadlineExceededError, errorMessage, withDeadline } from "@openclaw/foundation";
import type { PluginFaults } from "@openclaw/plugin-loader";
import type { PluginServiceContext } from "@openclaw/plugin-sdk";
import type { PluginServiceRegistration } from "../registration/service.js";

/**
 * Time that a service has to start before the next one is started, and to stop, in milliseconds
 * (PLUG-036).
 */
export const SERVICE_DEADLINE_MS = 5_000;

/** Result of the start of a service. */
export type ServiceStart =
  | { readonly status: "started" }
  /** It is still starting; the result is reported later. */
  | { readonly status: "slow" }
  | { readonly status: "failed"; readonly reason: string };

interface RunningService {
  readonly context: PluginServiceContext;
  readonly stopping: AbortController;
  /** Resolves with true when `start` succeeded. */
  readonly started: Promise<boolean>;
}

/** Receives events of a service after the call that caused them has returned. */
export type ServiceReport = (registration: PluginServiceRegistration, problem: string) => void;

/** Starts and stops services; each runs at most once. */
export class ServiceRunner {
  /** In the order in which they were started. */
  readonly #running = new Map<PluginServiceRegistration, RunningService>();

  /**
   * @param faults - attributes code of services to their plugins
   * @param report - receives late events
   */
  constructor(
    private readonly faults: PluginFaults,
    private readonly report: ServiceReport,
  ) {}

  /** Number of services that are running or starting. */
  get count(): number {
    return this.#running.size;
  }

  /**
   * Starts a service, and waits up to 5 seconds for it.
   * @param registration - a service that is not running
   */
  async start(registration: PluginServiceRegistration): Promise<ServiceStart> {
    if (this.#running.has(registration)) return { status: "started" };
    const stopping = new AbortController();
    const scope = this.faults.scope(registration.pluginId);
    const context = registration.context(stopping.signal, (call) => scope.run(call));
    const work = scope.run(async () => registration.service.start(context));
    const started = work.then(
      () => true,
      () => false,
    );
    this.#running.set(registration, { context, stopping, started });
    try {
      await withDeadline(SERVICE_DEADLINE_MS, () => work);
      return { status: "started" };
    } catch (error) {
      if (error instanceof DeadlineExceededError) {
        work.catch((late) => this.#failed(registration, errorMessage(late)));
        return { status: "slow" };
      }
      this.#running.delete(registration);
      stopping.abort();
      return { status: "failed", reason: errorMessage(error) };
    }
  }

  /**
   * Stops started services, the last one first (PLUG-036).
   * @param registrations - running or not
   * @param deadlineMs - time for each service, in milliseconds
   */
  async stop(
    registrations: Iterable<PluginServiceRegistration>,
    deadlineMs: () => number = () => SERVICE_DEADLINE_MS,
  ): Promise<void> {
    const asked = new Set(registrations);
    const running = [...this.#running].filter(([registration]) => asked.has(registration));
    for (const [registration, service] of running.reverse()) {
      this.#running.delete(registration);
      service.stopping.abort();
      try {
        const scope = this.faults.scope(registration.pluginId);
        await withDeadline(deadlineMs(), () => scope.run(() => stopOne(registration, service)));
      } catch (error) {
        this.report(registration, `could not be stopped: ${errorMessage(error)}`);
      }
    }
  }

  /** Stops every service, the last one first. */
  async stopAll(deadlineMs: () => number): Promise<void> {
    await this.stop([...this.#running.keys()], deadlineMs);
  }

  #failed(registration: PluginServiceRegistration, reason: string): void {
    // A service that was stopped meanwhile may fail to start without consequences.
    const service = this.#running.get(registration);
    if (service === undefined) return;
    this.#running.delete(registration);
    service.stopping.abort();
    this.report(registration, `could not be started: ${reason}`);
  }
}

/** `stop` is called only after a `start` that succeeded. */
async function stopOne(
  { service }: PluginServiceRegistration,
  { started, context }: RunningService,
): Promise<void> {
  if (await started) await service.stop?.(context);
}
