import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { installation, openclawScript } from "../installation.js";
import { Checkout } from "./checkout.js";
import { UpdateRefusedError } from "./errors.js";
import type { InstalledCopy } from "./installed-copy.js";
import { PackageFolder } from "./package-folder.js";

/**
 * Returns the copy that runs this command.
 * @param environment - environment variables for npm and git
 * @throws UpdateRefusedError when it was installed in a way that cannot be reverted
 */
export function installedCopy(environment: NodeJS.ProcessEnv): InstalledCopy {
  const { checkout } = installation;
  if (checkout !== undefined) return new Checkout(checkout, environment);
  const packageDir = dirname(dirname(openclawScript()));
  const parent = dirname(packageDir);
  const modules = basename(parent).startsWith("@") ? dirname(parent) : parent;
  const name = relative(modules, packageDir).split(sep).join("/");
  const folder = dirname(modules);
  const manifest = join(folder, "package.json");
  const isDependency =
    basename(modules) === "node_modules" &&
    existsSync(manifest) &&
    name in Object(JSON.parse(readFileSync(manifest, "utf8")).dependencies);
  if (isDependency) return new PackageFolder(folder, name, environment);
  throw new UpdateRefusedError(
    `${packageDir} is not a dependency of the package in ${folder}`,
    "update it with the program that installed it, for example npm install -g, after `openclaw db backup <file>`",
  );
}
