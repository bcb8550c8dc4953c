import { defined } from "@openclaw/foundation";
import {
  createHookRunner,
  type HookDiagnostic,
  type HookHandler,
  type HookRunner,
} from "@openclaw/hook-runner";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import type { PluginFaults } from "@openclaw/plugin-loader";
import { isHookName } from "@openclaw/plugin-sdk";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import type { HostSessionPort } from "@openclaw/plugin-sdk/services";
import type { PluginRuntimeOptions } from "../generations/runtime-options.js";
import type { PluginInstance } from "../instances/instance.js";
import type { AnyHandler } from "../registration/hook.js";
import type { EngineOptions } from "./author-options.js";
import type { HookBinding } from "./binding.js";
import { hookDefinitions } from "./definitions.js";
import { gateOf } from "./gate.js";
import { publishHookRunner } from "./global-runner.js";
import { withoutPromptParts } from "./prompt-fields.js";
import { type OpenReplyPreview, previewInScope } from "./reply-preview.js";
import { withSessionExtensions } from "./session-extensions.js";

/** The hook engine of one runtime, behind the host's gates. */
export class HookEngine {
  readonly runner: HookRunner<HookMap>;
  readonly #instances = new Map<string, PluginInstance>();
  readonly #faults: PluginFaults;
  readonly #sessionState: HostSessionPort["sessionState"];
  /** A diagnostic of the options check is reported again when the handler is added. */
  #rehearsing = false;

  /**
   * @param options - options of the runtime
   * @param faults - attributes what handlers do to their plugins
   * @param report - receives the engine's diagnostics about a handler, once per handler and kind
   */
  constructor(
    {
      hooks,
      logger,
      hostServices,
    }: Pick<PluginRuntimeOptions, "hooks" | "logger" | "hostServices">,
    faults: PluginFaults,
    report: (diagnostic: PluginDiagnostic) => void,
  ) {
    this.#faults = faults;
    this.#sessionState = hostServices?.sessionState;
    this.runner = createHookRunner<HookMap>(hookDefinitions(), {
      tracingChannel: "openclaw:hook",
      traceIds: ({ traceId, spanId, parentSpanId }) => ({ traceId, spanId, parentSpanId }),
      ...hooks,
      gate: ({ owner, hook }) => {
        const instance = this.#instances.get(owner);
        if (instance === undefined || !isHookName(hook)) return { active: true };
        const gate = gateOf(hook, owner, instance.grants);
        return gate === undefined ? { active: true } : { active: false, reason: gate.reason };
      },
      onDiagnostic: (diagnostic) => {
        if (this.#rehearsing) return;
        const { level, code, message, owner, hook, cause } = diagnostic;
        if (code !== "handler-failed") report(readDiagnostic(diagnostic));
        logger[level](message, {
          code,
          pluginId: owner,
          hook,
          ...defined({ cause }),
        });
      },
    });
    publishHookRunner(this.runner);
  }

  /**
   * Registers a plugin with the engine, before its handlers are added.
   * @param instance - a plugin of the generation that is being activated
   */
  introduce(instance: PluginInstance): void {
    const { id, logger, grants } = instance;
    this.#instances.set(id, instance);
    this.runner.owner(id, {
      config: grants.config,
      timeoutMs: grants.entry?.hooks?.timeoutMs,
      timeouts: grants.entry?.hooks?.timeouts,
      logger,
    });
  }

  /**
   * Removes a plugin that is not part of the generation that is being activated.
   * @param instance - a registered plugin
   */
  forget(instance: PluginInstance): void {
    if (this.#instances.get(instance.id) === instance) this.#instances.delete(instance.id);
  }

  /**
   * Resolves when no dispatch in flight holds a removed handler of the plugin, or at the deadline;
   * then the signals of running handlers abort (HOOK-042).
   * @param instance - plugin of an older generation
   * @param deadlineMs - maximum time to wait, in milliseconds
   */
  async drained({ id }: PluginInstance, deadlineMs: number): Promise<void> {
    await this.runner.drain(id, deadlineMs, { retired: true });
  }

  /**
   * Activates a new generation; users of the old one keep it (HOOK-041).
   * @param change - removes old handlers and adds new ones
   */
  replace(change: () => void): void {
    this.runner.transaction(change, { generation: "next" });
  }

  /**
   * Adds a handler.
   * @param binding - a handler of a registered plugin
   * @param order - position among handlers of equal priority
   * @returns a function that removes it
   */
  register(
    { hook, owner, handler, options, alias, stage }: HookBinding,
    order: number,
  ): () => void {
    const instance = this.#instances.get(owner.pluginId);
    const entry = instance?.grants.entry;
    const silent = hook === "before_agent_start" && entry?.hooks?.allowPromptInjection === false;
    const inScope = this.#inScope(owner.pluginId, silent ? withoutPromptParts(handler) : handler);
    return this.runner.register({
      ...withLabel(options),
      ...defined({ annotation: this.#previewInScope(owner.pluginId, options) }),
      name: hook,
      // The registrars typed handler and options by the hook's literal name; the registry stores all kinds.
      handler: withSessionExtensions(inScope, hook, instance, this.#sessionState) as HookHandler<
        HookMap[typeof hook]
      >,
      owner: owner.pluginId,
      source: owner.source,
      ...defined({ alias, stage }),
      order,
    });
  }

  #previewInScope(pluginId: string, { annotation }: EngineOptions): OpenReplyPreview | undefined {
    if (annotation === undefined) return undefined;
    const scope = this.#faults.scope(pluginId);
    return previewInScope(annotation, (work) => scope.run(work, "sampled"));
  }

  #inScope(pluginId: string, handler: AnyHandler): AnyHandler {
    const scope = this.#faults.scope(pluginId);
    return (event, context) => scope.run(() => handler(event, context), "sampled");
  }

  /**
   * Rejects options of a wrong type or range at registration, long before the handler is added
   * (HOOK-004): registers it in a transaction that is undone.
   * @param binding - a handler of any plugin
   * @throws HookOptionError
   */
  check(binding: HookBinding): void {
    if (Object.keys(binding.options).length === 0) return;
    this.#rehearsing = true;
    try {
      this.runner.transaction(() => {
        this.register(binding, 0);
        throw UNDO;
      });
    } catch (error) {
      if (error !== UNDO) throw error;
    } finally {
      this.#rehearsing = false;
    }
  }
}

const UNDO = new Error("a rehearsal is always undone");

/** Authors call it `name`; the engine uses that word for the hook. */
function withLabel({ name, ...options }: EngineOptions) {
  return { ...options, ...defined({ label: name }) };
}

function readDiagnostic({ level, code, message, owner, source }: HookDiagnostic): PluginDiagnostic {
  return {
    level,
    code,
    message,
    ...defined({ pluginId: owner, source }),
  };
}
