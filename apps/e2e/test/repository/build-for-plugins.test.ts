import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const scripts = fileURLToPath(new URL("../../../../scripts", import.meta.url));

/** Programs that write what the real ones would, and note their arguments. */
const PROGRAMS = {
  turbo:
    '#!/bin/sh\necho turbo "$@" >>calls\nfor name in kit base; do mkdir -p packages/$name/dist; touch packages/$name/dist/index.js; done\n',
  tsc: '#!/bin/sh\necho tsc "$@" >>calls\nfor name in kit base; do touch packages/$name/dist/index.d.ts; done\n',
};

/** Creates a checkout of three packages, of which a plugin imports one that depends on another. */
function checkout(programs: Readonly<Record<string, string>> = PROGRAMS): TemporaryFolder {
  const folder = temporaryFolder("checkout");
  const manifest = (name: string, dependencies = {}) =>
    JSON.stringify({
      ...{ name, dependencies },
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
        "./parts/*": "./dist/*.js",
      },
    });
  folder.write({
    "packages/kit/package.json": manifest("kit", { base: "workspace:^", elsewhere: "1" }),
    "packages/kit/src/index.ts": "export {};",
    "packages/base/package.json": manifest("base"),
    "packages/other/package.json": manifest("other"),
    "package.json": JSON.stringify({ packageManager: "pnpm@12.0.0" }),
    "extensions/none.txt": "",
    "apps/none.txt": "",
    ...Object.fromEntries(
      Object.entries(programs).map(([name, text]) => [`node_modules/.bin/${name}`, text]),
    ),
  });
  for (const name of Object.keys(programs)) {
    chmodSync(join(folder.path, "node_modules/.bin", name), 0o755);
  }
  for (const path of ["building", "build-for-plugins.mjs"]) {
    cpSync(join(scripts, path), join(folder.path, "scripts", path), { recursive: true });
  }
  return folder;
}

function run({ path }: TemporaryFolder, variables: NodeJS.ProcessEnv = {}) {
  const script = join(path, "scripts/build-for-plugins.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "kit", "elsewhere"], {
    encoding: "utf8",
    env: { ...process.env, ...variables },
  });
  const calls = join(path, "calls");
  return { status, stderr, calls: existsSync(calls) ? readFileSync(calls, "utf8") : "" };
}

const PROGRESS = "Building the test kit and the types for plugins …\n";
const CALLS =
  "turbo run build --output-logs=errors-only --filter=kit --filter=base\n" +
  "tsc -b packages/kit packages/base\n";

describe("build for plugins", () => {
  it("[SDK-340] builds what a plugin imports when code or types are missing, with one line of progress", () => {
    using folder = checkout();
    expect(run(folder)).toEqual({ status: 0, stderr: PROGRESS, calls: CALLS });
    expect(run(folder)).toEqual({ status: 0, stderr: "", calls: CALLS });
    folder.write({ "packages/base/src/new.ts": "export {};" });
    expect(run(folder)).toEqual({ status: 0, stderr: PROGRESS, calls: CALLS + CALLS });
  });

  it("[SDK-340] shows the output of a failed build, fails, and builds again the next time", () => {
    using folder = checkout({ ...PROGRAMS, tsc: "#!/bin/sh\necho wrong type; exit 2\n" });
    const failed = run(folder);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining("wrong type") });
    expect(failed.stderr).toContain("openclaw: the build failed, see above");
    expect(run(folder).status).toBe(1);
  });

  it("[SDK-340] gives the build the pnpm of the checkout when no pnpm is installed", () => {
    const turbo = `${PROGRAMS.turbo}pnpm --version >>calls\n`;
    using folder = checkout({ ...PROGRAMS, turbo });
    const tools = join(folder.path, "tools");
    folder.write({ "tools/npx": '#!/bin/sh\necho npx "$@"\n' });
    chmodSync(join(tools, "npx"), 0o755);
    for (const name of ["sh", "mkdir", "touch"]) {
      symlinkSync(join("/bin", name), join(tools, name));
    }
    const done = run(folder, { PATH: tools });
    expect(done.status).toBe(0);
    expect(done.calls).toContain("npx -y pnpm@12.0.0 --version\n");
  });
});
