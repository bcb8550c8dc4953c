/** Effect of a part of a plugin on this host. */
export type PartStatus = "works" | "mapped" | "unsupported";

/** Part of a plugin or bundle. */
export interface CompatibilityPart {
  /** Kind of the part, for example `tool`, `import` or `skills`. */
  readonly kind: string;
  /** Name of the part; empty for a part of which there is only one. */
  readonly name: string;
  readonly status: PartStatus;
  /** Reason why it does not work, or what it is mapped to; absent when it works as it is. */
  readonly reason?: string;
}

/** Parts of a plugin or bundle that work, are mapped, or are not supported (EXT-024). */
export interface CompatibilityReport {
  readonly id: string;
  readonly version?: string;
  readonly format: "plugin" | "bundle";
  /** False when the plugin does not load, so that none of its registrations takes effect. */
  readonly loads: boolean;
  readonly parts: readonly CompatibilityPart[];
}
