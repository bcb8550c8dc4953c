import type { Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { HostDeclarations } from "@openclaw/plugin-sdk/services";
import { PluginRegistrationError } from "../errors.js";
import type { PluginInstance } from "../instances/instance.js";
import type { PermissionGate } from "../instances/permission-gate.js";
import { declarableNames, REGISTRY_KINDS } from "./registry.js";
import type { RegistryKind, RegistryKinds } from "./registry-kinds.js";

/** Kinds of which a wrong registration fails the plugin. */
const GUARDS: ReadonlySet<RegistryKind> = new Set(["trustedToolPolicies", "safetyRules"]);

/**
 * The only way into the registry: every method of a plugin's `api` that registers something calls
 * it.
 */
export class Registrar {
  constructor(
    readonly instance: PluginInstance,
    readonly gate: PermissionGate,
    private readonly host: Pick<HostDeclarations, "hosts" | "gatewayHosts">,
    /** True when a wrong registration fails the plugin, `plugins.strict`. */
    private readonly strict = false,
  ) {}

  /**
   * Checks the arguments of a registration. A wrong one drops that registration only, with a diagnostic; when the host
   * is strict, it fails the plugin (PLUG-101).
   * @param member - the method of the `api` that was called
   * @param check - checks the arguments
   * @returns undefined when the registration is dropped
   * @throws PluginDisposedError, PluginRegistrationError when the host is strict
   */
  read<Checked>(member: string, check: () => Checked): Checked | undefined {
    this.instance.assertUsable(member);
    try {
      return check();
    } catch (error) {
      if (this.strict || !PluginRegistrationError.isInstance(error)) throw error;
      this.instance.diagnose({
        level: "error",
        code: "registration-invalid",
        message: `${error.message}; this registration is left out`,
        hint: "correct the argument; the other registrations of the plugin are active",
      });
      return undefined;
    }
  }

  /**
   * Adds a registration if the plugin may make it, and reports when the host does not use it
   * (PLUG-044, PLUG-056).
   * @param member - the method of the `api` that was called
   * @param kind - the list of the registry
   * @param read - checks the plugin's arguments
   * @returns a function that removes it
   * @throws PluginDisposedError, PluginPermissionError, PluginRegistrationError when the host is strict
   */
  add<Kind extends RegistryKind>(
    member: string,
    kind: Kind,
    read: () => RegistryKinds[Kind]["item"],
  ): () => void {
    // A plugin that cannot register its guard must not run as if it guarded.
    const item = GUARDS.has(kind) ? this.#checked(member, read) : this.read(member, read);
    if (item === undefined) return () => undefined;
    const { label, permission, takesEffect } = REGISTRY_KINDS[kind];
    if (permission !== undefined)
      this.gate.register(permission, declarableNames(kind, item), label);
    this.instance.noteUse(member);
    if (takesEffect?.(item) !== true) this.#tellUnhosted(member, kind, item);
    return this.instance.register(kind, item);
  }

  #checked<Checked>(member: string, check: () => Checked): Checked {
    this.instance.assertUsable(member);
    return check();
  }

  #tellUnhosted<Kind extends RegistryKind>(
    member: string,
    kind: Kind,
    item: RegistryKinds[Kind]["item"],
  ): void {
    const { label, hosted: capability, names, forCompatibility } = REGISTRY_KINDS[kind];
    const hosted = typeof capability === "function" ? capability(item) : capability;
    if (hosted === undefined || this.host.hosts?.includes(hosted) === true) return;
    const { id } = this.instance;
    const named = names(item)
      .map((name) => ` "${name}"`)
      .join(",");
    const unserved = `${label}${named}`;
    const called = `plugin "${id}" called api.${member}: the ${unserved}`;
    if (this.host.gatewayHosts?.includes(hosted) === true) {
      this.instance.diagnose({
        level: "info",
        code: "served-by-gateway",
        message: `${called} is served while a gateway runs, and this process is not one`,
        unserved,
        hint: "start the gateway to use it",
      });
    } else if (forCompatibility === true) {
      this.instance.diagnose({
        level: "info",
        code: "accepted-not-used",
        message: `${called} is kept, but this host does not use it`,
        unserved,
        hint: "the rest of the plugin works; no action is needed",
      });
    } else {
      this.instance.diagnose({
        level: "warn",
        code: "not-hosted-yet",
        message: `${called} is kept, but this host does not act on it yet`,
        unserved,
        hint: "the rest of the plugin works; use a host that acts on it, or a later version of this one",
      });
    }
  }
}

/**
 * Returns the function with which a plugin removes a registration.
 * @param takeBack - removes it; called once
 */
export function unregister(takeBack: () => void): Unregister {
  return Object.assign(() => takeBack(), { [Symbol.dispose]: takeBack });
}
