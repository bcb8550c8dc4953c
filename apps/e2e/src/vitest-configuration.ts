/**
 * Content of a Vitest configuration for tests that use linked packages. Vitest takes linked packages for
 * sources and transforms them, which takes seconds. Installed packages it imports as they are; with this
 * configuration it does the same for linked ones. The timeout is that of the tests of this repository, for
 * machines that are busy.
 */
export const LINKED_PACKAGES_CONFIGURATION = `export default {
  test: {
    isolate: false,
    maxWorkers: 1,
    testTimeout: 30_000,
    server: { deps: { external: [/\\/dist\\//] } },
  },
};
`;
