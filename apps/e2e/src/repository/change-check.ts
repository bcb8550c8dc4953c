/** File that a change adds or edits. */
export interface ChangedFile {
  /** Path relative to the checkout, with slashes. */
  readonly path: string;
  /** Lines that the change adds; the whole content of a new file. */
  readonly added: string;
}

/** Change that {@link missingParts} checks. */
export interface CheckedChange {
  readonly files: readonly ChangedFile[];
  /** Messages of its commits, which may say why a part is missing. */
  readonly messages: string;
  /**
   * Returns the name under which a package is published.
   * @param folder - for example `packages/agent`
   * @returns undefined for a private package
   */
  publishedName(folder: string): string | undefined;
  /**
   * Returns the IDs of requirements that a text cites.
   * @param text - added lines of a test
   */
  citedIn(text: string): readonly string[];
}

/** Part that a change of sources lacks, with the line that a commit message may have instead. */
export interface MissingPart {
  readonly part: "test" | "requirement" | "changeset";
  /** Packages whose sources changed without it. */
  readonly owners: readonly string[];
  readonly advice: string;
}

const SOURCE = /^((?:packages|extensions|apps)\/[^/]+)\/src\/(?!generated\/).+\.(?:ts|mjs)$/;
const TEST = /^((?:packages|extensions|apps)\/[^/]+)\/test\//;
/** Packages whose tests run others: a host, and the whole product. */
const SHARED_TESTS = new Set(["packages/gateway", "apps/e2e"]);

/**
 * Returns what a change of sources lacks: tests, a requirement that they cite, and a changeset of each published package.
 * A commit message overrides a part with its reason, for example `No-test: moves a file`.
 * @param change - files and messages
 */
export function missingParts(change: CheckedChange): readonly MissingPart[] {
  const { files, publishedName, citedIn } = change;
  const owners = [...new Set(files.flatMap(({ path }) => SOURCE.exec(path)?.[1] ?? []))].filter(
    (owner) => owner !== "apps/e2e",
  );
  if (owners.length === 0) return [];
  const tests = files.filter(({ path }) => TEST.test(path));
  const tested = new Set(tests.flatMap(({ path }) => TEST.exec(path)?.[1] ?? []));
  const hasShared = [...tested].some((owner) => SHARED_TESTS.has(owner));
  const untested = owners.filter((owner) => !tested.has(owner) && !hasShared);
  const hasRequirement =
    files.some(({ path }) => path.startsWith("docs/requirements/")) ||
    tests.some(({ added }) => citedIn(added).length > 0);
  const changesets = files
    .filter(({ path }) => /^\.changeset\/.+\.md$/.test(path))
    .map(({ added }) => added);
  const unannounced = owners.filter((owner) => {
    const name = publishedName(owner);
    return name !== undefined && !changesets.some((text) => text.includes(`"${name}"`));
  });
  const found: readonly MissingPart[] = [
    {
      part: "test",
      owners: untested,
      advice: "add or change a test in the package, in packages/gateway/test or in apps/e2e/test",
    },
    {
      part: "requirement",
      owners: hasRequirement ? [] : owners,
      advice:
        "cite the requirement that a changed test proves in its title, or add a row to docs/requirements/<area>.md",
    },
    {
      part: "changeset",
      owners: unannounced,
      advice: "write .changeset/<name>.md that names the package (`pnpm changeset`)",
    },
  ];
  return found.filter(({ part, owners: of }) => of.length > 0 && !isOverridden(part, change));
}

function isOverridden(part: MissingPart["part"], { messages }: CheckedChange): boolean {
  return new RegExp(`^No-${part}: *\\S.*$`, "im").test(messages);
}
