type Version = readonly [major: number, minor: number, patch: number];
type Comparator = (version: Version) => boolean;

const VERSION = /^v?(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+].*)?$/;

/**
 * Whether a version lies in a range: `^`, `~`, `>=`, `>`, `<=`, `<`, `=`, partial and `x` versions,
 * several of them together, and alternatives with `||`. Pre-releases count as their release.
 * @param version - for example `1.4.2`
 * @param range - for example `^1.2`
 * @returns undefined when version or range cannot be read
 */
export function satisfies(version: string, range: string): boolean | undefined {
  const found = parseVersion(version);
  const alternatives = range.split("||").map(parseAlternative);
  if (found === undefined || alternatives.includes(undefined)) return undefined;
  return alternatives.some((comparators) => comparators?.every((holds) => holds(found)) === true);
}

function parseAlternative(text: string): Comparator[] | undefined {
  const parts = text
    .trim()
    .replaceAll(/(>=|<=|>|<|=|\^|~)\s+/g, "$1")
    .split(/\s+/);
  const comparators: Comparator[] = [];
  for (const part of parts) {
    const comparator = parseComparator(part);
    if (comparator === undefined) return undefined;
    comparators.push(comparator);
  }
  return comparators;
}

function parseComparator(text: string): Comparator | undefined {
  if (text === "" || text === "*" || text === "x") return () => true;
  const [, operator = "", rest = ""] = /^(>=|<=|>|<|=|\^|~)?(.*)$/.exec(text) ?? [];
  const match = VERSION.exec(rest);
  if (match === null) return undefined;
  const given = match
    .slice(1)
    .filter((part) => part !== undefined && /^\d+$/.test(part))
    .map(Number);
  const low = asVersion(given);
  switch (operator) {
    case ">=":
      return (version) => compare(version, low) >= 0;
    case ">":
      return (version) => compare(version, next(given)) >= 0;
    case "<":
      return (version) => compare(version, low) < 0;
    case "<=":
      return (version) => compare(version, next(given)) < 0;
    case "^":
      return between(low, afterCaret(given));
    case "~":
      return between(low, next(given.slice(0, 2)));
    default:
      return between(low, next(given));
  }
}

/** The version before which `^` ends: the leftmost part that is not zero may not change. */
function afterCaret(given: readonly number[]): Version {
  const firstNonZero = given.findIndex((part) => part > 0);
  return next(firstNonZero < 0 ? given : given.slice(0, firstNonZero + 1));
}

/** The first version behind all that begin with the given parts. */
function next(given: readonly number[]): Version {
  const last = given.at(-1);
  return asVersion(
    last === undefined ? [Number.POSITIVE_INFINITY] : [...given.slice(0, -1), last + 1],
  );
}

function between(low: Version, high: Version): Comparator {
  return (version) => compare(version, low) >= 0 && compare(version, high) < 0;
}

function compare(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text.trim());
  if (match === null) return undefined;
  return asVersion(
    match
      .slice(1)
      .map((part) => Number(part ?? 0))
      .map((part) => (Number.isNaN(part) ? 0 : part)),
  );
}

function asVersion(parts: readonly number[]): Version {
  const [major = 0, minor = 0, patch = 0] = parts;
  return [major, minor, patch];
}
