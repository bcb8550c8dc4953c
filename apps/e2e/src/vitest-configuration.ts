/**
 * Content of a Vitest configuration for tests that use linked packages. Vitest takes linked packages for
 * sources and transforms them, which takes seconds. Installed packages it imports as they are; with this
 * configuration it does the same for linked ones.
 */
export const LINKED_PACKAGES_CONFIGURATION = `export default {
  test: { isolate: false, maxWorkers: 1, server: { deps: { external: [/\\/dist\\//] } } },
};
`;
