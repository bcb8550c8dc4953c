/**
 * A guard that is removed, and the tests that must notice it.
 * @typedef {object} Mutant
 * @property {string} name - package and removed guard, for example `store/audit-forgets-the-predecessor`
 * @property {readonly string[]} requirements - ids that do not hold without the guard
 * @property {string} file - path from the root
 * @property {string} find - occurs exactly once in the file
 * @property {string} replace
 * @property {{ project: string, files: readonly string[] }} tests - vitest project and test files
 */

/**
 * Returns the mutants of one package.
 * @param folder - folder of the package, for example `packages/store`
 * @param tests - sources of the package, each with its mutants as `[name, ids, find, replace, files]` and the test files
 *   that must notice all of them; further files of one mutant follow it. A test file is named by its path below `test/`,
 *   or from the root
 * @param project - vitest project of the tests
 * @returns {Mutant[]}
 */
export function mutantsOf(folder, tests, project = "packages") {
  const title = folder.slice(folder.lastIndexOf("/") + 1);
  const pathOf = (file) => (file.startsWith("packages/") ? file : `${folder}/test/${file}.test.ts`);
  return tests.flatMap(({ source, noticedBy, mutants }) =>
    mutants.map(([name, ids, find, replace, others = []]) => ({
      name: `${title}/${name}`,
      requirements: ids.split(" "),
      file: `${folder}/src/${source}`,
      find,
      replace,
      tests: { project, files: [...noticedBy, ...others].map(pathOf) },
    })),
  );
}
