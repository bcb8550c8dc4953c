import type { HostDeclarations } from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../instances/instance.js";
import type { PermissionGate } from "../instances/permission-gate.js";
import { REGISTRY_KINDS, type RegistryKind, type RegistryKinds } from "./registry.js";

/**
 * The only way into the registry: every method of a plugin's `api` that registers something calls
 * it.
 */
export class Registrar {
  constructor(
    readonly instance: PluginInstance,
    readonly gate: PermissionGate,
    private readonly hosts: HostDeclarations["hosts"],
  ) {}

  /**
   * Adds a registration if the plugin may make it, and reports when the host does not use it
   * (PLUG-044, PLUG-056).
   * @param member - the method of the `api` that was called
   * @param kind - the list of the registry
   * @param read - checks the plugin's arguments
   * @returns a function that removes it
   * @throws PluginDisposedError, PluginRegistrationError, PluginPermissionError
   */
  add<Kind extends RegistryKind>(
    member: string,
    kind: Kind,
    read: () => RegistryKinds[Kind]["item"],
  ): () => void {
    this.instance.assertUsable(member);
    const item = read();
    const { label, permission, names, takesEffect } = REGISTRY_KINDS[kind];
    if (permission !== undefined)
      this.gate.register(permission, this.#declarable(kind, item), label);
    this.instance.noteUse(member);
    if (takesEffect?.(item) !== true) this.#tellUnhosted(member, kind, names(item));
    return this.instance.register(kind, item);
  }

  /** Returns the names under which a manifest declares a registration. */
  #declarable<Kind extends RegistryKind>(
    kind: Kind,
    item: RegistryKinds[Kind]["item"],
  ): readonly string[] {
    // A manifest names routes by the plugin's own paths, and namespaces without the plugin's id.
    if ("path" in item) return [item.path];
    if ("extension" in item) return [item.extension.namespace];
    return REGISTRY_KINDS[kind].names(item);
  }

  #tellUnhosted(member: string, kind: RegistryKind, names: readonly string[]): void {
    const { label, hosted, forCompatibility } = REGISTRY_KINDS[kind];
    if (hosted === undefined || this.hosts?.includes(hosted) === true) return;
    const { id } = this.instance;
    const named = names.map((name) => ` "${name}"`).join(",");
    const unserved = `${label}${named}`;
    this.instance.diagnose(
      forCompatibility === true
        ? {
            level: "info",
            code: "accepted-not-used",
            message: `plugin "${id}" called api.${member}: the ${unserved} is kept, but this host does not use it`,
            unserved,
            hint: "the rest of the plugin works; no action is needed",
          }
        : {
            level: "warn",
            code: "not-hosted-yet",
            message: `plugin "${id}" called api.${member}: the ${unserved} is kept, but this host does not act on it yet`,
            unserved,
            hint: "the rest of the plugin works; use a host that acts on it, or a later version of this one",
          },
    );
  }
}
