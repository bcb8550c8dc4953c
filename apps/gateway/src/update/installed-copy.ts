import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { installation, openclawScript } from "../installation.js";
import { Checkout } from "./checkout.js";
import { UpdateRefusedError } from "./errors.js";
import { PackageFolder } from "./package-folder.js";

/** A version that was fetched and is not in use yet. */
export interface StagedVersion {
  /** Version or revision, for the operator. */
  readonly name: string;
  /** True when it is the one in use. */
  readonly isCurrent: boolean;
  /** Puts it into use instead of the present one. */
  activate(): Promise<void>;
  /** Puts the previous version into use again. */
  revert(): Promise<void>;
  /** Removes what is not in use. */
  discard(): void;
}

/** Copy of OpenClaw that an update replaces. */
export interface InstalledCopy {
  /**
   * Fetches a version.
   * @param from - source that the operator named
   * @throws UpdateRefusedError
   */
  stage(from: string | undefined): Promise<StagedVersion>;
}

/**
 * Returns the copy that runs this command.
 * @param environment - environment variables for npm and git
 * @throws UpdateRefusedError when it was installed in a way that cannot be reverted
 */
export function installedCopy(environment: NodeJS.ProcessEnv): InstalledCopy {
  const { checkout } = installation;
  if (checkout !== undefined) return new Checkout(checkout, environment);
  const modules = dirname(dirname(dirname(openclawScript())));
  const folder = dirname(modules);
  const manifest = join(folder, "package.json");
  const isDependency =
    basename(modules) === "node_modules" &&
    existsSync(manifest) &&
    "openclaw" in Object(JSON.parse(readFileSync(manifest, "utf8")).dependencies);
  if (isDependency) return new PackageFolder(folder, environment);
  throw new UpdateRefusedError(
    `${dirname(dirname(openclawScript()))} is not a dependency of the package in ${folder}`,
    "update it with the program that installed it, for example npm install -g, after `openclaw db backup <file>`",
  );
}
