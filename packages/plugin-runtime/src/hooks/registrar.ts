import { defined, textOf } from "@openclaw/foundation";
import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import { PluginRegistrationError, UnknownPluginHookError } from "../errors.js";
import type { PluginInstance } from "../instances/instance.js";
import type { AnyHandler, PluginHookRegistration } from "../registration/hook.js";
import { type Registrar, unregister } from "../registration/registrar.js";
import { readAuthorOptions } from "./author-options.js";
import type { HookBinding } from "./binding.js";
import type { HookBindings } from "./bindings.js";
import { adaptColonHandler } from "./colon-events.js";
import { gateOf } from "./gate.js";
import { findHook, type HookEntryPoint } from "./name.js";

/** A name that a plugin gave, with its bindings; none for an event that the host fires itself. */
interface BoundName {
  /** Hook or event as the registry lists it. */
  readonly event: string;
  /** Options of the registration. */
  readonly listed: HookBinding;
  readonly bindings: readonly HookBinding[];
}

/** Context of the registrars. */
export interface HookRegistrarHost {
  /** True when an unknown hook fails the plugin, `plugins.strict` (LIFE-024). */
  readonly strict: boolean;
  /** True after the boot, when a handler for it never runs (LIFE-036). */
  hasBooted(): boolean;
}

/**
 * The three ways to register a handler. All create one registration with the same options, order
 * and gates; they differ in the names that they accept (LIFE-020, LIFE-029, LIFE-039).
 */
export class HookRegistrar {
  private readonly instance: PluginInstance;

  constructor(
    private readonly registrar: Registrar,
    private readonly bindings: HookBindings,
    private readonly host: HookRegistrarHost,
  ) {
    this.instance = registrar.instance;
  }

  /**
   * Registers a handler for the hooks of one name, or of each name in a list.
   * @param entryPoint - the method that was called
   * @param names - a name or a list, as given
   * @param handler - called with event and context
   * @param options - the author's options
   * @throws PluginRegistrationError for a list or handler of a wrong type
   * @throws HookOptionError for an option of a wrong type or range
   * @throws PluginDisposedError after the plugin's generation has ended
   */
  open(entryPoint: HookEntryPoint, names: unknown, handler: unknown, options: unknown): Unregister {
    this.instance.assertUsable(entryPoint);
    if (entryPoint === "registerHook" && isDefinedHook(names)) {
      return this.open(entryPoint, names.name, names.handler, names.options);
    }
    const called = this.#names(entryPoint, names);
    if (typeof handler !== "function") {
      throw this.#wrong(entryPoint, "handler", `expected a function, got ${typeof handler}`);
    }
    if (options !== undefined && (typeof options !== "object" || options === null)) {
      throw this.#wrong(entryPoint, "options", `expected an object, got ${textOf(options)}`);
    }
    const given = { ...options };
    const found = called.flatMap((name) =>
      this.#bind(entryPoint, name, handler as AnyHandler, given),
    );
    const [first] = found;
    if (first === undefined) return unregister(() => {});
    const events = found.map(({ event }) => event);
    const bindings = found.flatMap((each) => each.bindings);
    const item = this.#listing(
      entryPoint,
      { ...first.listed, handler: handler as AnyHandler },
      events,
    );
    this.bindings.stage(item, bindings);
    return unregister(this.registrar.add(entryPoint, "hooks", () => item));
  }

  #names(entryPoint: HookEntryPoint, names: unknown): string[] {
    const list: unknown[] = Array.isArray(names) && entryPoint === "registerHook" ? names : [names];
    if (list.length === 0) {
      throw this.#wrong(entryPoint, "events", "expected at least one name, got an empty list");
    }
    return list.map((name) => {
      if (typeof name === "string") return name;
      throw this.#wrong(entryPoint, "name", `expected a string, got ${typeof name}`);
    });
  }

  /**
   * Returns the bindings of one name; empty, and a diagnostic, when the name means no hook here.
   */
  #bind(
    entryPoint: HookEntryPoint,
    name: string,
    handler: AnyHandler,
    given: Readonly<Record<string, unknown>>,
  ): BoundName[] {
    const found = findHook(entryPoint, name);
    if ("problem" in found) {
      const { level, code, hint } = found;
      const message = `plugin "${this.instance.id}" called api.${entryPoint}: ${found.problem}`;
      this.instance.diagnose({ level, code, message, hint });
      if (this.host.strict && level === "error") {
        const reason = `${message}; ${hint}`;
        throw this.instance.refuse(new UnknownPluginHookError(this.instance.id, name, reason));
      }
      return [];
    }
    if ("colonEvent" in found) return [this.#bindColonEvent(found.colonEvent, handler, given)];
    const { hook, alias } = found;
    const binding = this.#binding(entryPoint, hook, handler, given);
    const named = { ...binding, ...defined({ alias }) };
    this.bindings.check(named);
    this.#announce(hook);
    return [{ event: hook, listed: named, bindings: [named] }];
  }

  /** Binds a handler of an event of older plugins to the hooks that the event follows (LIFE-040). */
  #bindColonEvent(
    name: string,
    handler: AnyHandler,
    given: Readonly<Record<string, unknown>>,
  ): BoundName {
    const bindings = adaptColonHandler(name, handler).map((adapted) =>
      this.#binding("registerHook", adapted.hook, adapted.handler, given),
    );
    for (const binding of bindings) {
      this.bindings.check(binding);
      this.#announce(binding.hook);
    }
    // The host fires the other events itself; the hook only decides which options are known.
    const listed = bindings[0] ?? this.#binding("registerHook", "gateway_start", handler, given);
    this.instance.noteUse(`registerHook(${name})`);
    return { event: name, listed, bindings };
  }

  #binding(
    entryPoint: HookEntryPoint,
    hook: CataloguedHookName,
    handler: AnyHandler,
    given: Readonly<Record<string, unknown>>,
  ): HookBinding {
    const author = readAuthorOptions(given, hook, entryPoint);
    for (const key of author.unknown) this.#unknownOption(entryPoint, key);
    if (author.vintage) this.instance.noteUse("on(matcher)");
    const options = { ...author.engine };
    if (entryPoint === "registerHook") options.name ??= `${this.instance.id}:${hook}`;
    return {
      hook,
      owner: this.instance.origin,
      handler,
      options,
      ...defined({ description: author.description }),
      active: author.active,
    };
  }

  /** One call creates one entry of the registry, for any number of hooks (LIFE-045). */
  #listing(
    entryPoint: HookEntryPoint,
    { handler, options, alias, description, active }: HookBinding,
    events: readonly string[],
  ): PluginHookRegistration {
    const { priority, name } = options;
    return Object.freeze({
      ...this.instance.origin,
      events: Object.freeze(events),
      handler,
      entryPoint,
      ...defined({ alias, priority, name, description }),
      active,
    });
  }

  /** Reports facts about a registered hook that the author needs. */
  #announce(hook: CataloguedHookName): void {
    const { instance } = this;
    instance.noteUse(`on(${hook})`);
    if (hook === "gateway_pre_start" && this.host.hasBooted()) {
      instance.diagnoseOnce("boot-passed", {
        level: "warn",
        code: "boot-passed",
        message: `plugin "${instance.id}" handles "gateway_pre_start", but the host has booted; the handler runs at the next start`,
        hint: 'use "gateway_start" for what is to happen now, too; it is delivered once to each plugin loaded into a running host',
      });
    }
    if (hook === "before_agent_start") {
      instance.diagnoseOnce(hook, {
        level: "info",
        code: "deprecated-hook",
        message: `plugin "${instance.id}" handles "before_agent_start", which runs but is deprecated`,
        hint: 'use "before_model_resolve" for models and "before_prompt_build" for prompts',
      });
    }
    const gate = gateOf(hook, instance.id, instance.grants);
    if (gate === undefined) return;
    instance.diagnoseOnce(`gate:${hook}`, {
      level: gate.grave ? "warn" : "info",
      code: gate.grave ? "gate-inactive" : "hook-inactive",
      message: `the handlers of plugin "${instance.id}" for "${hook}" are inactive: ${gate.reason}`,
      hint: gate.hint,
    });
  }

  #unknownOption(entryPoint: HookEntryPoint, key: string): void {
    this.instance.diagnoseOnce(`option:${key}`, {
      level: "warn",
      code: "unknown-option",
      message: `plugin "${this.instance.id}" passed the unknown option "${key}" to api.${entryPoint}; it is ignored`,
      hint: `remove "${key}", or see the hook reference for the known options`,
    });
  }

  #wrong(entryPoint: HookEntryPoint, argument: string, problem: string): PluginRegistrationError {
    return new PluginRegistrationError(this.instance.id, entryPoint, argument, problem);
  }
}

/** Output of `defineHook`: name, handler and options in one. */
function isDefinedHook(
  value: unknown,
): value is { readonly name: unknown; readonly handler: unknown; readonly options?: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    "name" in value &&
    "handler" in value
  );
}
