import { errorMessage, withDeadline } from "@openclaw/foundation";
import type { PluginDiagnostic, PluginEntryConfiguration } from "@openclaw/plugin-discovery";
import { type MissingPartUse, PluginCode } from "@openclaw/plugin-loader";
import { PluginDisposedError } from "@openclaw/plugin-sdk/errors";
import type { CleanupReason, CleanupRequest } from "@openclaw/plugin-sdk/lifecycle";
import type { PluginContracts } from "@openclaw/plugin-sdk/manifest";
import type { Logger, PluginOrigin } from "@openclaw/plugin-sdk/plugin-entry";
import type { RegistrationOrigin } from "../registration/origin.js";
import type { Registration } from "../registration/registry.js";
import type { RegistryKind, RegistryKinds } from "../registration/registry-kinds.js";
import { type ApiProfile, type ApiVintage, laterVintage, vintageOf } from "./api-vintage.js";

/** Time that a callback has when a plugin ends, in milliseconds (LIFE-034). */
const CALLBACK_DEADLINE_MS = 5_000;

/** Facts about a plugin whose module is loaded. */
export interface PluginIdentity {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly kind?: string | readonly string[];
  readonly origin: PluginOrigin;
  /** File that the plugin was loaded from. */
  readonly source: string;
  readonly rootDir: string;
}

/** Settings of the operator for a plugin. */
export interface PluginGrants {
  /** The plugin's own configuration, checked, with defaults, frozen. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly entry: PluginEntryConfiguration | undefined;
  /** True when its handlers may see whole conversations (D29). */
  readonly consented: boolean;
  /** True when the operator named the plugin's path. */
  readonly named?: boolean;
  /** Registrations that its manifest declares. */
  readonly contracts?: PluginContracts | undefined;
  /** Proposals of the SDK that its manifest names. */
  readonly proposals?: readonly string[] | undefined;
}

/** Events that an instance reports to its runtime. */
export interface InstanceListener {
  /** A registration was made after `register` had settled; it takes effect at once (D18). */
  registeredLate(instance: PluginInstance, registration: Registration): void;
  /** A registration was removed. */
  unregistered(instance: PluginInstance, registration: Registration): void;
  /** A diagnostic was added after `register` had settled. */
  diagnosed(instance: PluginInstance): void;
}

type Phase = "registering" | "registered" | "ending" | "ended";

let sequence = 0;

/**
 * One plugin in one generation: collects the plugin's registrations, so that all of them become
 * active or none, and disposes them when the generation ends.
 */
export class PluginInstance {
  readonly diagnostics: PluginDiagnostic[] = [];
  readonly #registrations = new Set<Registration>();
  readonly #ending = new AbortController();
  readonly #disposers: (() => unknown)[] = [];
  readonly #reported = new Set<string>();
  #phase: Phase = "registering";
  #isUpdating = false;
  #refusal: Error | undefined;
  #vintage: ApiVintage | undefined;
  #end: Promise<void> | undefined;
  #code: PluginCode | undefined;
  /** Receives each use of a missing part, before it fails. */
  onMissingUse: (use: MissingPartUse) => void = () => {};

  constructor(
    readonly identity: PluginIdentity,
    readonly grants: PluginGrants,
    readonly logger: Logger,
    private readonly listener: InstanceListener,
    /** API version that its manifest or package requires. */
    private readonly required: ApiProfile,
  ) {}

  get id(): string {
    return this.identity.id;
  }

  /** Its source code. */
  get code(): PluginCode {
    const { source, rootDir } = this.identity;
    this.#code ??= new PluginCode(source, rootDir);
    return this.#code;
  }

  /** Owner of its registrations. */
  get origin(): RegistrationOrigin {
    return { pluginId: this.identity.id, source: this.identity.source };
  }

  /** Aborts when the plugin's generation ends. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** All current registrations, in order. */
  get registrations(): Iterable<Registration> {
    return this.#registrations;
  }

  /** Reason not to use the plugin, although its `register` may have continued. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  get isLate(): boolean {
    return this.#phase === "registered";
  }

  /** True while a running plugin changes its handlers on purpose. */
  get isUpdating(): boolean {
    return this.#isUpdating;
  }

  /** The API version that the plugin's calls indicate, else the one that it requires. */
  get profile(): ApiProfile {
    return this.#vintage ?? this.required;
  }

  /**
   * Records the use of a member of the `api`, which indicates the plugin's vintage.
   * @param member - for example `registerHttpHandler`
   */
  noteUse(member: string): void {
    const vintage = vintageOf(member);
    if (vintage !== undefined) this.#vintage = laterVintage(this.#vintage, vintage);
  }

  /**
   * Returns the plugin's registrations of one kind, in order.
   * @param kind - the list of the registry
   */
  registered<Kind extends RegistryKind>(kind: Kind): RegistryKinds[Kind]["item"][] {
    return [...this.#registrations].flatMap((each) => (each.kind === kind ? [each.item] : []));
  }

  /**
   * Rejects a registration of a disposed plugin (LIFE-028).
   * @param member - the method of the `api` that was called
   * @throws PluginDisposedError
   */
  assertUsable(member: string): void {
    if (this.#phase === "ending") throw new PluginDisposedError(this.id, member);
    this.assertAlive(member);
  }

  /**
   * Rejects a call of a disposed plugin; its last callbacks may still use the host's capabilities.
   * @param member - the member of the `api` that was called
   * @throws PluginDisposedError
   */
  assertAlive(member: string): void {
    if (this.#phase === "ended") throw new PluginDisposedError(this.id, member);
  }

  /**
   * Adds a registration; it becomes active when `register` has settled, and later ones at once.
   * @param kind - the list of the registry
   * @param item - the registration
   * @returns a function that removes it
   */
  register<Kind extends RegistryKind>(kind: Kind, item: RegistryKinds[Kind]["item"]): () => void {
    sequence += 1;
    // The signature ties the item to its kind, which the union cannot express.
    const registration = { kind, item, sequence, late: this.isLate } as unknown as Registration;
    this.#registrations.add(registration);
    if (this.isLate) this.listener.registeredLate(this, registration);
    return () => {
      if (!this.#registrations.delete(registration)) return;
      this.listener.unregistered(this, registration);
    };
  }

  /**
   * Adds a diagnostic about this plugin.
   * @param diagnostic - without the plugin's id and file
   */
  diagnose(diagnostic: Omit<PluginDiagnostic, "pluginId" | "source">): void {
    this.diagnostics.push({ ...diagnostic, ...this.origin });
    if (this.#phase !== "registering") this.listener.diagnosed(this);
  }

  /**
   * Adds a diagnostic once per key.
   * @param key - identifies equal diagnostics
   * @param diagnostic - without the plugin's id and file
   */
  diagnoseOnce(key: string, diagnostic: Omit<PluginDiagnostic, "pluginId" | "source">): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.diagnose(diagnostic);
  }

  /**
   * Fails the plugin, even if its `register` catches the error.
   * @param error - the reason
   * @returns the same error, to throw
   */
  refuse(error: Error): Error {
    this.#refusal ??= error;
    return error;
  }

  /**
   * Runs a change of registrations whose lateness is not a mistake.
   * @param change - removes and adds registrations
   */
  update(change: () => void): void {
    this.#isUpdating = true;
    try {
      change();
    } finally {
      this.#isUpdating = false;
    }
  }

  /** Ends the registration phase and activates the registrations. */
  settle(): void {
    if (this.#phase === "registering") this.#phase = "registered";
  }

  /**
   * Adds a callback for the end of the generation.
   * @param callback - releases the plugin's resources
   */
  onDispose(callback: () => unknown): void {
    this.#disposers.push(callback);
  }

  /**
   * Disposes the plugin: aborts its signal, then runs its cleanups and its other callbacks, each in
   * reverse order. Further calls wait for the same end.
   * @param reason - reason passed to the cleanups; without one the plugin was never active, and no
   *   cleanup runs
   * @param deadlineMs - time for each callback, in milliseconds
   */
  end(reason?: CleanupReason, deadlineMs = () => CALLBACK_DEADLINE_MS): Promise<void> {
    this.#end ??= this.#takeApart(reason, deadlineMs);
    return this.#end;
  }

  /**
   * Runs the cleanups for a session that is reset or deleted, last registered first. A cleanup that
   * fails or takes longer than 5 seconds is logged, and the others continue (LIFE-035).
   * @param request - the reason, and the session
   */
  async cleanUp(request: CleanupRequest): Promise<void> {
    for (const cleanup of this.#cleanups(request).reverse()) {
      await this.#run("cleanup", cleanup, CALLBACK_DEADLINE_MS);
    }
  }

  async #takeApart(reason: CleanupReason | undefined, deadlineMs: () => number): Promise<void> {
    this.#phase = "ending";
    const cleanups = reason === undefined ? [] : this.#cleanups({ reason });
    for (const registration of [...this.#registrations]) {
      this.#registrations.delete(registration);
      this.listener.unregistered(this, registration);
    }
    this.#ending.abort(new DOMException(`plugin "${this.id}" was unloaded`, "AbortError"));
    for (const cleanup of cleanups.reverse()) await this.#run("cleanup", cleanup, deadlineMs());
    for (const callback of this.#disposers.splice(0).reverse()) {
      await this.#run("onDispose", callback, deadlineMs());
    }
    this.#phase = "ended";
  }

  #cleanups(request: CleanupRequest): (() => void | Promise<void>)[] {
    return [...this.#registrations].flatMap((each) => {
      if (each.kind === "runtimeLifecycles") {
        const { lifecycle } = each.item;
        return [() => lifecycle.cleanup?.({ ...request })];
      }
      if (each.kind !== "sessionExtensions") return [];
      const { extension } = each.item;
      return [() => extension.cleanup?.({ ...request })];
    });
  }

  async #run(what: string, callback: () => unknown, deadlineMs: number): Promise<void> {
    try {
      await withDeadline(Math.min(deadlineMs, CALLBACK_DEADLINE_MS), callback);
    } catch (error) {
      this.logger.error(`a ${what} callback of plugin "${this.id}" failed: ${errorMessage(error)}`);
    }
  }
}
