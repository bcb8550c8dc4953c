import { PluginPermissionError } from "@openclaw/plugin-sdk/errors";
import type { PluginInstance } from "./instance.js";
import { type DeclaredPermissions, isDeclared, type PermissionKind } from "./permissions.js";

/** What becomes of something that a manifest does not declare, `plugins.permissions` (PLUG-044). */
export type PermissionMode = "off" | "warn" | "strict";

/** How one plugin is held to its manifest. */
export interface PermissionRules {
  readonly mode: PermissionMode;
  readonly declared: DeclaredPermissions;
  /** File the lines go into that are missing. */
  readonly manifestFile: string;
}

/** Holds one plugin to what its manifest declares. */
export class PermissionGate {
  readonly #missing = new Map<PermissionKind, Set<string>>();
  readonly #deeds: string[] = [];

  constructor(
    private readonly instance: PluginInstance,
    private readonly rules: PermissionRules,
  ) {}

  /**
   * Lets the plugin register something: under `warn` what is not declared too, and says so; under
   * `strict` not (PLUG-044).
   * @param kind - field of the manifest's permissions
   * @param names - by which it is known
   * @param label - what it is called in a message
   * @throws PluginPermissionError under `strict`
   */
  register(kind: PermissionKind, names: readonly string[], label: string): void {
    for (const name of names) this.#check(kind, name, `register the ${label} "${name}"`);
    if (this.instance.isLate) this.report();
  }

  /**
   * Lets the plugin use something through `api.runtime`. A list in the manifest binds in every mode but
   * `off`; without one, `warn` lets it pass and says so (PLUG-045).
   * @param kind - field of the manifest's permissions
   * @param value - what is to be declared there
   * @param deed - what the plugin does, for example `fetch from "example.com"`
   * @param allowed - whether the list allows it
   * @throws PluginPermissionError
   */
  use(
    kind: PermissionKind,
    value: string,
    deed: string,
    allowed: (list: readonly string[]) => boolean,
  ): void {
    const { mode, declared } = this.rules;
    const list = declared[kind];
    if (mode === "off" || (list !== undefined && allowed(list))) return;
    if (mode === "strict" || list !== undefined) {
      throw new PluginPermissionError(this.instance.id, kind, value, deed);
    }
    this.#note(kind, value, deed);
    this.report();
  }

  /** Whether anything of a kind may be used without asking for each. */
  isOpen(kind: PermissionKind): boolean {
    const { mode, declared } = this.rules;
    return mode === "off" || declared[kind]?.includes("*") === true;
  }

  /** Says, in one diagnostic, what was let through since the last time although it is not declared. */
  report(): void {
    const deeds = this.#deeds.splice(0);
    if (deeds.length === 0) return;
    const shown = deeds.length > 3 ? [...deeds.slice(0, 3), `${deeds.length - 3} more`] : deeds;
    this.instance.diagnose({
      level: "warn",
      code: "permission-undeclared",
      message: `plugin "${this.instance.id}" did what its manifest does not declare: ${shown.join(", ")}`,
      hint: `write into ${this.rules.manifestFile}: "permissions": ${this.#lines()}`,
    });
  }

  #check(kind: PermissionKind, name: string, deed: string): void {
    const { mode, declared } = this.rules;
    if (mode === "off" || isDeclared(declared, kind, name)) return;
    if (mode === "strict") throw new PluginPermissionError(this.instance.id, kind, name, deed);
    this.#note(kind, name, deed);
  }

  #note(kind: PermissionKind, value: string, deed: string): void {
    const values = this.#missing.get(kind) ?? new Set();
    this.#missing.set(kind, values);
    if (values.has(value)) return;
    values.add(value);
    this.#deeds.push(deed);
  }

  /** The fields of `permissions` that lack something, as they should be. */
  #lines(): string {
    const lines: Record<string, unknown> = {};
    for (const [kind, values] of this.#missing) {
      const all = [...(this.rules.declared[kind] ?? []), ...values];
      const [group = kind, field] = kind.split(".");
      lines[group] =
        field === undefined ? all : { ...(lines[group] as object | undefined), [field]: all };
    }
    return JSON.stringify(lines);
  }
}
