/** Hosts that workers reach without a setting: registries of packages, and documentation (JOB-044). */
export const DEFAULT_HOSTS: readonly string[] = [
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "pypi.org",
  "files.pythonhosted.org",
  "crates.io",
  "index.crates.io",
  "static.crates.io",
  "static.rust-lang.org",
  "proxy.golang.org",
  "sum.golang.org",
  "rubygems.org",
  "repo.maven.apache.org",
  "deb.debian.org",
  "security.debian.org",
  "docs.rs",
  "docs.python.org",
  "nodejs.org",
  "developer.mozilla.org",
  "*.readthedocs.io",
];

/** Name of a host, or all hosts below one. */
export const HOST_PATTERN =
  "^(?:\\*\\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$";
const HOST = new RegExp(HOST_PATTERN);

/**
 * Returns the hosts of a variable, which commas or spaces separate.
 * @param written - value of `SANDBOX_EXTRA_DOMAINS`
 * @returns names of hosts, and what is not one
 */
export function hostsOf(written: string | undefined): {
  readonly hosts: readonly string[];
  readonly invalid: readonly string[];
} {
  const words = (written ?? "").split(/[\s,]+/).filter((word) => word !== "");
  const isHost = (word: string) => HOST.test(word.toLowerCase());
  return { hosts: words.filter(isHost), invalid: words.filter((word) => !isHost(word)) };
}

/**
 * Returns true when a list has a host: by its name, or below `*.`.
 * @param hosts - the list
 */
export function isAllowed(hosts: readonly string[], host: string): boolean {
  const name = host.replace(/\.$/, "").toLowerCase();
  return hosts.some((entry) => {
    const allowed = entry.toLowerCase();
    return allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === allowed;
  });
}
