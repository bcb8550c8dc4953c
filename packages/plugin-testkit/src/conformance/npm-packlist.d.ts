declare module "npm-packlist" {
  /** Package as the tree of installed packages of npm describes it, with what the list of its files depends on. */
  interface PackedPackage {
    readonly path: string;
    readonly package: object;
    readonly isProjectRoot: boolean;
    readonly edgesOut: ReadonlyMap<string, unknown>;
  }
  /** Returns the relative paths of the files that npm packs. */
  function packlist(tree: PackedPackage): Promise<string[]>;
  export = packlist;
}
