/** Sources of dependencies other than the registry: a git repository, a local file or folder, a URL of an archive. */
export const DEPENDENCY_SOURCES = ["git", "file", "url"] as const;

/** One of {@link DEPENDENCY_SOURCES}. */
export type DependencySource = (typeof DEPENDENCY_SOURCES)[number];

const GIT =
  /^(?:git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)|^https?:\/\/(?:[^@/]*@)?(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|gist\.github\.com)\/(?!.*\.(?:tgz|tar\.gz)$)|^https?:.*\.git(?:#|$)/i;
const SHORTHAND = /^[\w-][\w.-]*\/[\w.-]+(?:#.*)?$/;
const FILE =
  /^(?:file:|link:|portal:|workspace:|[.~]{0,2}[\\/]|[a-z]:[\\/])|\.(?:tgz|tar|tar\.gz)$/i;
const REGISTRY = /^[\w.~^<>=|*+\- ]*$/;
const ALIAS = /^npm:(?:@[\w.~-]+\/)?[\w.~-]+(?:@([^@]*))?$/;

/**
 * Returns the source from which npm would fetch a dependency.
 * @param specifier - value of an entry of `dependencies`, such as `^1.2.0` or `github:user/name`
 * @returns the source; `unknown` for a string in none of npm's forms
 */
export function dependencySource(specifier: string): DependencySource | "registry" | "unknown" {
  const text = specifier.trim();
  if (GIT.test(text)) return "git";
  if (/^https?:/i.test(text)) return "url";
  if (FILE.test(text)) return "file";
  if (SHORTHAND.test(text)) return "git";
  const alias = ALIAS.exec(text);
  const range = alias === null ? text : (alias[1] ?? "");
  return REGISTRY.test(range) ? "registry" : "unknown";
}

/**
 * Returns the sources that the operator allows, `plugins.install.allowDependencies`.
 * @param config - configuration of the host
 */
export function allowedDependencySources(
  config: Readonly<Record<string, unknown>>,
): readonly DependencySource[] {
  const allowed = member(member(config.plugins, "install"), "allowDependencies");
  return Array.isArray(allowed) ? DEPENDENCY_SOURCES.filter((each) => allowed.includes(each)) : [];
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
