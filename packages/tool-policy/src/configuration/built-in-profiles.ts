import type { PolicyEntry } from "../layers/layer.js";

/** Profiles that ship with the product (POL-008). */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  minimal: ["session_status", "time"],
  coding: [
    "group:fs",
    "group:runtime",
    "group:web",
    "group:sessions",
    "group:memory",
    "group:automation",
    "group:util",
  ],
  messaging: ["message", "group:sessions", "time"],
  full: ["*"],
};

/** The allow lists of the profiles that ship with the product, by name. */
export const BUILT_IN_PROFILES: ReadonlyMap<string, readonly PolicyEntry[]> = new Map(
  Object.entries(BUILT_IN).map(([name, entries]) => [
    name,
    entries.map((value) => ({
      value,
      source: { key: `tools.profiles.${name}.allow`, builtIn: true as const },
    })),
  ]),
);
