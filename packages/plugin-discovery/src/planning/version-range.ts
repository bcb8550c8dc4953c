import coerce from "semver/functions/coerce.js";
import satisfiesRange from "semver/functions/satisfies.js";
import validRange from "semver/ranges/valid.js";

const VERSION = /^v?\d+(?:\.\d+){0,2}(?:[-+].*)?$/;
/** Pre-release and build of a version within a range. */
const PRERELEASE = /(\d)[-+][\w.+-]*/g;

/**
 * Checks whether a version is in a range of npm's syntax. Pre-releases count as their release, in the version and in
 * the range: a host `1.4.0-beta.2` runs plugins for `>=1.4`.
 * @param version - for example `1.4.2`
 * @param range - for example `^1.2`
 * @returns undefined when version or range cannot be read
 */
export function satisfies(version: string, range: string): boolean | undefined {
  const text = version.trim();
  const release = VERSION.test(text) ? coerce(text) : null;
  const releases = validRange(range.replaceAll(PRERELEASE, "$1"));
  if (release === null || releases === null) return undefined;
  return satisfiesRange(release, releases);
}
