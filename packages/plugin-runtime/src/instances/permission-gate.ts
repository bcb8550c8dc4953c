import {
  type DeclaredPermissions,
  isDeclared,
  type PermissionKind,
} from "@openclaw/plugin-discovery";
import { PluginPermissionError } from "@openclaw/plugin-sdk/errors";
import type { PluginInstance } from "./instance.js";

/** Treatment of undeclared registrations and uses, `plugins.permissions` (PLUG-044). */
export type PermissionMode = "off" | "warn" | "strict";

/** Settings of a permission gate. */
export interface PermissionRules {
  readonly mode: PermissionMode;
  readonly declared: DeclaredPermissions;
  /** File to which the missing lines belong. */
  readonly manifestFile: string;
}

/** Enforces the manifest of one plugin. */
export class PermissionGate {
  readonly #missing = new Map<PermissionKind, Set<string>>();
  readonly #actions: string[] = [];
  /** True when an undeclared use, not only a registration, waits for its report. */
  #hasUse = false;

  constructor(
    private readonly instance: PluginInstance,
    private readonly rules: PermissionRules,
  ) {}

  /**
   * Authorizes a registration: `warn` allows an undeclared one and reports it; `strict` rejects it
   * (PLUG-044).
   * @param kind - field of the manifest's permissions
   * @param names - names of the registration
   * @param label - its name in messages
   * @throws PluginPermissionError under `strict`
   */
  register(kind: PermissionKind, names: readonly string[], label: string): void {
    for (const name of names) this.#check(kind, name, `register the ${label} "${name}"`);
    if (this.instance.isLate) this.report();
  }

  /**
   * Authorizes a use through `api.runtime`. A list in the manifest is enforced in every mode but
   * `off`; without one, `warn` allows the use and reports it (PLUG-045).
   * @param kind - field of the manifest's permissions
   * @param value - value that the manifest must declare
   * @param action - description of the action, for example `fetch from "example.com"`
   * @param allowed - true when the list allows it
   * @throws PluginPermissionError
   */
  use(
    kind: PermissionKind,
    value: string,
    action: string,
    allowed: (list: readonly string[]) => boolean,
  ): void {
    const { mode, declared } = this.rules;
    const list = declared[kind];
    if (mode === "off" || (list !== undefined && allowed(list))) return;
    if (mode === "strict" || list !== undefined) {
      throw new PluginPermissionError(this.instance.id, kind, value, action);
    }
    this.#hasUse = true;
    this.#note(kind, value, action);
    this.report();
  }

  /**
   * Returns true when the manifest declares a value.
   * @param kind - field of the manifest's permissions
   * @param value - name of a registration
   */
  declares(kind: PermissionKind, value: string): boolean {
    return isDeclared(this.rules.declared, kind, value);
  }

  /** Returns true when every value of a kind may be used without a check. */
  isOpen(kind: PermissionKind): boolean {
    const { mode, declared } = this.rules;
    return mode === "off" || declared[kind]?.includes("*") === true;
  }

  /** Reports, in one diagnostic, the undeclared uses that were allowed since the last report. */
  report(): void {
    const deeds = this.#actions.splice(0);
    if (deeds.length === 0) return;
    // A manifest that declares nothing makes no claim that a registration could contradict.
    const isMinimal = Object.keys(this.rules.declared).length === 0;
    const hasUse = this.#hasUse;
    this.#hasUse = false;
    const shown = deeds.length > 3 ? [...deeds.slice(0, 3), `${deeds.length - 3} more`] : deeds;
    this.instance.diagnose({
      level: isMinimal && !hasUse ? "info" : "warn",
      code: "permission-undeclared",
      message: `plugin "${this.instance.id}" did what its manifest does not declare: ${shown.join(", ")}`,
      hint: `write into ${this.rules.manifestFile}: "permissions": ${this.#lines()}`,
    });
  }

  #check(kind: PermissionKind, name: string, action: string): void {
    const { mode, declared } = this.rules;
    if (mode === "off" || isDeclared(declared, kind, name)) return;
    if (mode === "strict") throw new PluginPermissionError(this.instance.id, kind, name, action);
    this.#note(kind, name, action);
  }

  #note(kind: PermissionKind, value: string, action: string): void {
    const values = this.#missing.get(kind) ?? new Set();
    this.#missing.set(kind, values);
    if (values.has(value)) return;
    values.add(value);
    this.#actions.push(action);
  }

  /** Returns the incomplete fields of `permissions`, completed. */
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
