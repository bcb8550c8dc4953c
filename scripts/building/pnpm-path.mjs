// The search path on which turbo finds pnpm, also when only `npx pnpm` was used and nobody installed pnpm.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Returns the search path, with a launcher of the checkout's version of pnpm at its end when it has no pnpm.
 * @param root - absolute folder of the checkout
 * @param path - search path of the process
 */
export function withPnpm(root, path) {
  const isWindows = process.platform === "win32";
  const names = isWindows ? ["pnpm.cmd", "pnpm.exe", "pnpm.bat"] : ["pnpm"];
  const isThere = path
    .split(delimiter)
    .some((folder) => folder !== "" && names.some((name) => existsSync(join(folder, name))));
  if (isThere) return path;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(root, "node_modules/.cache/openclaw-pnpm");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, isWindows ? "pnpm.cmd" : "pnpm");
  writeFileSync(
    file,
    isWindows
      ? `@npx -y ${packageManager} %*\r\n`
      : `#!/bin/sh\nexec npx -y ${packageManager} "$@"\n`,
  );
  chmodSync(file, 0o755);
  return `${path}${delimiter}${folder}`;
}
