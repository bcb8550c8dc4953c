/** Priorities by name; a higher number runs first (DHOOK-010). */
const PRIORITIES = { system: 100, high: 50, normal: 0, low: -50 } as const;

/** Numbers that files of IronClaw write for the names. */
const IRONCLAW: ReadonlyMap<number, keyof typeof PRIORITIES> = new Map([
  [0, "system"],
  [10, "high"],
  [50, "normal"],
  [90, "low"],
]);

/** Names of priorities, highest first. */
export const PRIORITY_NAMES = Object.keys(PRIORITIES);

/** Priority of a hook without one. */
export const DEFAULT_PRIORITY = PRIORITIES.normal;

/**
 * Returns the priority for the catalog.
 * @param value - name or number
 * @param isIronClaw - true in the sections of IronClaw, whose numbers are names
 * @returns undefined for a value that is neither
 */
export function priorityOf(value: unknown, isIronClaw: boolean): number | undefined {
  if (typeof value === "string") return named(value.toLowerCase());
  if (typeof value !== "number" || !Number.isInteger(value)) return undefined;
  if (!isIronClaw) return value;
  const name = IRONCLAW.get(value);
  return name === undefined ? undefined : PRIORITIES[name];
}

function named(name: string): number | undefined {
  return Object.entries(PRIORITIES).find(([each]) => each === name)?.[1];
}
