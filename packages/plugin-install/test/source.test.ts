import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import {
  packFolder,
  startNpmRegistry,
  type TemporaryFolder,
  temporaryFolder,
  writePlugin,
} from "@openclaw/foundation/testing";
import { create } from "tar";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { UNPACK_LIMITS } from "../src/archive/unpack.js";
import { installDependencies } from "../src/dependencies.js";
import { PluginSourceError } from "../src/index.js";
import { npmAdvice } from "../src/npm.js";
import { readPackage } from "../src/package-manifest.js";
import { discardStaged, parsePluginSpecifier, stagePlugin } from "../src/source.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => vi.unstubAllEnvs());

/** Creates a folder with an empty `staging` folder, for one test. */
function workplace(): TemporaryFolder & { staging: string } {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const staging = join(folder.path, "staging");
  mkdirSync(staging);
  return { ...folder, staging };
}

async function stage(text: string, { path, staging }: ReturnType<typeof workplace>) {
  const source = await parsePluginSpecifier(text, path);
  if (source.kind === "first-party") throw new Error(`${text} is not unpacked`);
  return stagePlugin(source, text, staging);
}

/** Turns a folder into a repository with one commit, and returns the commit's ID. */
function commitAll(repository: string): string {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", ".");
  git(...author, "commit", "--quiet", "--no-gpg-sign", "-m", "first");
  return git("rev-parse", "HEAD");
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
}

describe("parsePluginSpecifier", () => {
  it.each([
    ["guard", { kind: "plugin-npm", specifier: "guard" }],
    ["@scope/guard@^1.2.0", { kind: "plugin-npm", specifier: "@scope/guard@^1.2.0" }],
    ["npm:folder", { kind: "plugin-npm", specifier: "folder" }],
    ["git+https://example.org/guard.git", { kind: "plugin-git" }],
    ["github:someone/guard", { kind: "plugin-git" }],
    ["gitlab:someone/guard", { kind: "plugin-git" }],
    ["someone/guard#v1", { kind: "plugin-git" }],
    ["git@example.org:someone/guard.git", { kind: "plugin-git" }],
    ["https://example.org/guard.git", { kind: "plugin-git" }],
    ["https://example.org/guard.tgz", { kind: "plugin-npm" }],
    ["guard@>=1.0.0 <2.0.0", { kind: "plugin-npm" }],
    ["folder", { kind: "plugin-dir" }],
    ["./folder", { kind: "plugin-dir" }],
    ["guard.tgz", { kind: "plugin-archive" }],
    ["guard.tar.gz", { kind: "plugin-archive" }],
    ["guard.mjs", { kind: "plugin-file" }],
  ])("recognises %s by its form", async (text, expected) => {
    const place = workplace();
    place.write({ "folder/x": "", "guard.tgz": "", "guard.tar.gz": "", "guard.mjs": "" });
    const source = await parsePluginSpecifier(text, place.path);
    expect(source).toMatchObject(expected);
    if ("path" in source) expect(source.path).toBe(join(place.path, text));
  });

  it.each(["./missing", "../missing", "/missing", "missing.tgz", "missing.ts"])(
    "rejects %s when the file does not exist, without a registry lookup",
    async (text) => {
      const { path } = workplace();
      const parsing = parsePluginSpecifier(text, path);
      await expect(parsing).rejects.toThrow(PluginSourceError);
      await expect(parsing).rejects.toMatchObject({
        code: "PLUGIN_SOURCE_UNUSABLE",
        requested: text,
        message: expect.stringMatching(/does not exist; check the path/),
      });
    },
  );
});

it.each(["guard@github:someone/guard", "npm:git+https://example.org/x.git", "guard@file:../x"])(
  "rejects %s, which npm would not fetch from the registry",
  async (text) => {
    await expect(parsePluginSpecifier(text, "/")).rejects.toThrow(/neither a package name/);
  },
);

describe("stagePlugin", () => {
  it("copies a folder that is not a package, without its history", async () => {
    const place = workplace();
    writePlugin(join(place.path, "mine"), { files: { ".git/HEAD": "x", "deep/a.txt": "a" } });
    const staged = await stage("mine", place);
    expect(staged).toMatchObject({ kind: "plugin-dir", requested: "mine" });
    expect(filesBelow(staged.dir)).toEqual([
      "deep",
      "deep/a.txt",
      "index.mjs",
      "openclaw.plugin.json",
    ]);
    await discardStaged(staged);
    expect(readdirSync(place.staging)).toEqual([]);
  });

  it("[PLUG-046] packs a folder that is a package as npm would, and runs none of its scripts", async () => {
    const place = workplace();
    const touch = "node -e \"require('fs').writeFileSync('ran', '')\"";
    writePlugin(join(place.path, "mine"), {
      package: {
        name: "@me/guard",
        version: "1.2.3",
        files: ["index.mjs"],
        scripts: { prepack: touch, prepare: touch, postinstall: touch },
      },
      files: { "secret.txt": "not for others" },
    });
    const staged = await stage("./mine", place);
    expect(staged).toMatchObject({ packageName: "@me/guard", packageVersion: "1.2.3" });
    expect(staged.integrity).toMatch(/^sha512-/);
    expect(filesBelow(staged.dir)).toEqual(["index.mjs", "openclaw.plugin.json", "package.json"]);
    expect(existsSync(join(place.path, "mine", "ran"))).toBe(false);
  });

  it("[PLUG-116] takes the manifest and the entry modules also when npm leaves them out", async () => {
    const place = workplace();
    const extensions = ["./index.mjs", "./src/second.mjs", "../secret.mjs", "./missing.mjs", 7];
    place.write({ "secret.mjs": "not of the plugin" });
    writePlugin(join(place.path, "mine"), {
      package: { name: "guard", version: "1.0.0", files: ["README.md"], clawdbot: { extensions } },
      files: { "src/second.mjs": "", "src/other.mjs": "" },
    });
    symlinkSync(join(place.path, "secret.mjs"), join(place.path, "mine", "missing.mjs"));
    const staged = await stage("./mine", place);
    expect(filesBelow(staged.dir)).toEqual([
      "index.mjs",
      "openclaw.plugin.json",
      "package.json",
      "src",
      join("src", "second.mjs"),
    ]);
    expect(staged.leftOut).toEqual(["openclaw.plugin.json", "./index.mjs", "./src/second.mjs"]);
  });

  it("copies one file", async () => {
    const place = workplace();
    place.write({ "guard.mjs": "export function register() {}" });
    const staged = await stage("guard.mjs", place);
    expect(filesBelow(staged.dir)).toEqual(["guard.mjs"]);
  });

  it("unpacks an archive and returns its integrity", async () => {
    const place = workplace();
    const dir = writePlugin(join(place.path, "mine"), { package: { name: "guard" } });
    const file = await packFolder(dir, join(place.path, "guard.tgz"));
    const staged = await stage("guard.tgz", place);
    expect(filesBelow(staged.dir)).toEqual(["index.mjs", "openclaw.plugin.json", "package.json"]);
    const digest = createHash("sha512").update(readFileSync(file)).digest("base64");
    expect(staged).toMatchObject({ packageName: "guard", integrity: `sha512-${digest}` });
    expect(staged).not.toHaveProperty("packageVersion");
  });

  it("leaves an unreadable package.json to the manifest check", async () => {
    const place = workplace();
    writePlugin(join(place.path, "mine"), { files: { "package.json": "{" } });
    expect(filesBelow((await stage("mine", place)).dir)).toContain("package.json");
  });

  it.each(["null", "7", '"text"'])("takes a package.json of %s for none", async (content) => {
    const place = workplace();
    const dir = writePlugin(join(place.path, "mine"), { files: { "package.json": content } });
    expect(await readPackage(dir)).toBeUndefined();
    const staged = { ...(await stage("mine", place)), integrity: "sha512-x" };
    await installDependencies(staged, { pluginId: "guard", allowed: [] });
    expect(filesBelow(staged.dir)).not.toContain("node_modules");
  });

  it("fetches from a registry", async () => {
    const place = workplace();
    const registry = await startNpmRegistry();
    await registry.publish("guard", "1.0.0", {});
    const integrity = await registry.publish("guard", "1.1.0", {});
    const staged = await stage("guard@1", place);
    expect(staged).toMatchObject({
      kind: "plugin-npm",
      packageName: "guard",
      packageVersion: "1.1.0",
      integrity,
    });
    const exact = await stage("guard@1.0.0", place);
    expect(exact.packageVersion).toBe("1.0.0");
  });

  it("fetches from git", async () => {
    const place = workplace();
    const repository = writePlugin(join(place.path, "repository"), {
      package: { name: "guard", version: "3.0.0" },
    });
    const commit = commitAll(repository);
    vi.stubEnv("npm_config_cache", join(place.path, "cache"));
    const staged = await stage(`git+file://${repository}`, place);
    expect(staged).toMatchObject({ kind: "plugin-git", packageVersion: "3.0.0" });
    expect(filesBelow(staged.dir)).toContain("openclaw.plugin.json");
    const exact = await stage(`git+file://${repository}#${commit.slice(0, 9)}`, place);
    expect(exact.packageVersion).toBe("3.0.0");
  });

  it("[PLUG-072] fetches a branch whose name looks like the beginning of a commit", async () => {
    const place = workplace();
    const repository = writePlugin(join(place.path, "repository"), {
      package: { name: "guard", version: "3.0.0" },
    });
    commitAll(repository);
    execFileSync("git", ["branch", "cafe"], { cwd: repository });
    const staged = await stage(`git+file://${repository}#cafe`, place);
    expect(staged.packageVersion).toBe("3.0.0");
    await expect(stage(`git+file://${repository}#beef`, place)).rejects.toMatchObject({
      code: "PLUGIN_SOURCE_UNUSABLE",
    });
  });

  it("[PLUG-046] runs no prepare script of a repository", async () => {
    const place = workplace();
    const marker = join(place.path, "ran");
    place.write({ "evil.sh": `#!/bin/sh\ntouch ${marker}\n` });
    const evil = join(place.path, "evil.sh");
    chmodSync(evil, 0o755);
    const repository = writePlugin(join(place.path, "repository"), {
      package: {
        name: "guard",
        version: "3.0.0",
        scripts: { prepare: evil, postinstall: evil, preinstall: evil },
        devDependencies: { more: `git+file://${place.path}/none` },
      },
      files: { ".npmrc": `git=${evil}\nignore-scripts=false\n` },
    });
    commitAll(repository);
    vi.stubEnv("npm_config_cache", join(place.path, "cache"));
    await stage(`git+file://${repository}`, place);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("stagePlugin errors", () => {
  /** Expects a rejection that leaves nothing behind. */
  async function refuses(text: string, place: ReturnType<typeof workplace>, message: RegExp) {
    const staging = stage(text, place);
    await expect(staging).rejects.toThrow(PluginSourceError);
    await expect(staging).rejects.toMatchObject({
      requested: text,
      message: expect.stringMatching(message),
    });
    expect(readdirSync(place.staging)).toEqual([]);
  }

  it("rejects a package that the registry does not have", async () => {
    const place = workplace();
    await startNpmRegistry();
    await refuses("nobody-wrote-this", place, /404.*check the name, the version and the network/);
  });

  it("[PLUG-118] asks a registry that does not answer twice, and no longer", async () => {
    const place = workplace();
    await startNpmRegistry();
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    vi.stubEnv("npm_config_registry", `http://127.0.0.1:${address.port}`);
    await refuses("guard", place, /check the name, the version and the network$/);
    expect(connections).toBe(2);
  });

  it.each([
    ["npm error code SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS/],
    ["npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /NODE_EXTRA_CA_CERTS/],
    ["npm error code EALLOWGIT", /plugins\.install\.allowDependencies/],
    ["npm error code E404", /the name, the version and the network/],
  ])("[PLUG-118] says what to do about %s", (stderr, advice) => {
    expect(npmAdvice(stderr)).toMatch(advice);
  });

  it("rejects a package whose archive differs from the registry's integrity", async () => {
    const place = workplace();
    const registry = await startNpmRegistry();
    const before = await registry.publish("guard", "1.0.0", {});
    vi.stubEnv("npm_config_prefer_offline", "true");
    await stage("guard", place).then(discardStaged);
    const after = await registry.publish("guard", "1.0.0", { register: "void 0;" });
    expect(after).not.toBe(before);
    // npm has cached the registry's metadata, but no longer the archive it describes.
    const cache = process.env.npm_config_cache ?? "";
    execFileSync("rm", ["-rf", join(cache, "_cacache", "content-v2", "sha512")]);
    await expect(stage("guard", place)).rejects.toThrow(PluginSourceError);
  });

  it("rejects a specifier that npm would read as an option", async () => {
    const place = workplace();
    await startNpmRegistry();
    place.write({ "package.json": '{ "name": "not-asked-for", "version": "1.0.0" }' });
    await refuses("--ignore-scripts=false", place, /cannot install/);
  });

  it("rejects any package when npm is missing", async () => {
    const place = workplace();
    vi.stubEnv("PATH", place.path);
    await refuses("guard", place, /npm is not installed; install Node.js with npm/);
  });

  it("reports an npm that fails without a message", async () => {
    const place = workplace();
    place.write({ "bin/npm": "#!/bin/sh\nexit 1\n" });
    execFileSync("chmod", ["755", join(place.path, "bin/npm")]);
    vi.stubEnv("PATH", `${join(place.path, "bin")}:${process.env.PATH}`);
    await refuses("guard", place, /npm failed/);
  });

  it("reports an npm that packs nothing", async () => {
    const place = workplace();
    place.write({ "bin/npm": "#!/bin/sh\necho '[]'\n" });
    execFileSync("chmod", ["755", join(place.path, "bin/npm")]);
    vi.stubEnv("PATH", `${join(place.path, "bin")}:${process.env.PATH}`);
    await refuses("guard", place, /`npm pack` produced no archive/);
  });

  it("rejects a file that is not an archive", async () => {
    const place = workplace();
    place.write({ "guard.tgz": "no archive" });
    await refuses("guard.tgz", place, /cannot unpack the archive; create the archive again/);
  });

  it("rejects an archive with links", async () => {
    const place = workplace();
    const dir = writePlugin(join(place.path, "mine"));
    symlinkSync("/etc", join(dir, "link"));
    await packFolder(dir, join(place.path, "guard.tgz"));
    await refuses("guard.tgz", place, /link is neither a file nor a folder/);
  });

  it("rejects a small archive that unpacks to more than the limit", async () => {
    const place = workplace();
    place.write({ "mine/openclaw.plugin.json": "{}" });
    const huge = join(place.path, "mine", "zeros.txt");
    writeFileSync(huge, "");
    truncateSync(huge, UNPACK_LIMITS.bytes + 1);
    execFileSync("tar", ["-c", "-f", join(place.path, "bomb.tar"), "-C", place.path, "mine"]);
    await pipeline(
      createReadStream(join(place.path, "bomb.tar")),
      createGzip({ level: 1 }),
      createWriteStream(join(place.path, "guard.tgz")),
    );
    await refuses("guard.tgz", place, /rejected: it is too large/);
  });

  it("rejects an archive that is compressed twice", async () => {
    const place = workplace();
    writeFileSync(join(place.path, "guard.tgz"), gzipSync(gzipSync("anything")));
    await refuses("guard.tgz", place, /rejected: it is compressed twice/);
  });

  it("never unpacks paths outside the folder", async () => {
    const place = workplace();
    place.write({ "inside/package/x": "", "evil.txt": "evil" });
    const file = join(place.path, "guard.tgz");
    const cwd = join(place.path, "inside");
    await create({ cwd, file, gzip: true, preservePaths: true }, ["package/../../evil.txt"]);
    await stage("guard.tgz", place).then(discardStaged, (error) =>
      expect(error).toBeInstanceOf(PluginSourceError),
    );
    expect(filesBelow(place.path)).not.toContain("staging/evil.txt");
    expect(readdirSync(place.staging)).toEqual([]);
  });

  it("rejects a folder with links", async () => {
    const place = workplace();
    symlinkSync("/etc", join(writePlugin(join(place.path, "mine")), "link"));
    await refuses("mine", place, /link is neither a file nor a folder; replace it/);
  });

  it("rejects a folder that contains the staging folder", async () => {
    const place = workplace();
    writePlugin(place.path);
    await refuses(".", place, /cannot copy the folder/);
  });
});
