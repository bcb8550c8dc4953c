import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, symlinkSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPluginHost, type PluginHost } from "../support/plugin-host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const LIST = ".claude-plugin/marketplace.json";
const SKILL = "---\nname: greet\ndescription: Greets.\n---\nHello.";

interface Entry {
  readonly name: string;
  readonly source: unknown;
  readonly [key: string]: unknown;
}

const list = (name: string, plugins: readonly Entry[]) =>
  JSON.stringify({ name, owner: { name: "Team" }, plugins });

function writeMarketplace({ folder }: PluginHost, plugins: readonly Entry[], name = "tools") {
  folder.write({ [`market/${LIST}`]: list(name, plugins) });
}

/** Adds the marketplace in the folder `market`, and installs a plugin of it. */
async function install(host: PluginHost, plugin: string, options = {}) {
  const { folder, methods, marketplaces } = host;
  await marketplaces.call("marketplaces.add", { source: "market", cwd: folder.path });
  const specifier = `${plugin}@tools`;
  return methods.call("plugins.install", { specifier, cwd: folder.path, ...options });
}

function commitAll(repository: string): string {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: repository,
      encoding: "utf8",
    }).trim();
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--no-gpg-sign", "--message", "All");
  return git("rev-parse", "HEAD");
}

/** Starts a server on the loopback interface, and returns a host that may request it, with its origin. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const configuration = JSON.stringify({ tools: { http: { allowHosts: [`127.0.0.1:${port}`] } } });
  return { origin, host: await createPluginHost({ configuration }) };
}

describe("marketplaces", () => {
  it("[EXT-544] are added, searched, updated and removed, and say what an entry lacks", async () => {
    const host = await createPluginHost();
    const { folder, marketplaces } = host;
    writeMarketplace(host, [
      { name: "greeter", source: "./greeter", description: "Greets people", version: "1.0.0" },
      { name: "../evil", source: "./x" },
    ]);
    folder.write({ "market/greeter/skills/greet/SKILL.md": SKILL });
    const added = await marketplaces.call("marketplaces.add", {
      source: "market",
      cwd: folder.path,
    });
    expect(added).toMatchObject({ name: "tools", kind: "folder", owner: "Team", plugins: 1 });
    expect(added.problems).toEqual([expect.stringContaining('the name "../evil"')]);
    expect(await marketplaces.call("marketplaces.search", { query: "PEOPLE greet" })).toEqual({
      plugins: [expect.objectContaining({ name: "greeter", installed: false })],
    });
    expect(await marketplaces.call("marketplaces.search", { query: "absent" })).toEqual({
      plugins: [],
    });
    expect(await install(host, "greeter")).toMatchObject({
      plugin: { id: "greeter", status: "loaded", version: "1.0.0" },
    });
    writeMarketplace(host, [
      { name: "greeter", source: "./greeter", version: "1.1.0" },
      { name: "other", source: "./other" },
    ]);
    expect(await marketplaces.call("marketplaces.update", {})).toEqual({
      marketplaces: [
        {
          ...{ name: "tools", removed: [] },
          // A folder is read where it is, so it has no earlier state.
          added: [],
          newer: [{ plugin: "greeter", pluginId: "greeter", installed: "1.0.0", offered: "1.1.0" }],
        },
      ],
    });
    expect(await host.methods.call("plugins.update", { id: "greeter" })).toMatchObject({
      plugin: { version: "1.1.0" },
    });
    expect(await marketplaces.call("marketplaces.remove", { name: "tools" })).toEqual({
      ...{ name: "tools", plugins: ["greeter"] },
    });
    // The name of a removed marketplace is not looked for in npm.
    await expect(host.methods.call("plugins.update", { id: "greeter" })).rejects.toMatchObject({
      code: "MARKETPLACE_NOT_FOUND",
    });
  });

  it("[EXT-545] install only the parts that an entry declares with strict: false, and ask for what it starts", async () => {
    const host = await createPluginHost();
    writeMarketplace(host, [
      {
        name: "office",
        source: "./",
        strict: false,
        skills: ["./skills/greet"],
        hooks: {
          PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "node check.js" }] }],
        },
        mcpServers: { files: { command: "node", args: ["server.js"] } },
      },
    ]);
    host.folder.write({
      "market/skills/greet/SKILL.md": SKILL,
      "market/skills/other/SKILL.md": SKILL.replace("greet", "other"),
      "market/check.js": "",
    });
    const asked = await install(host, "office");
    expect(asked.addedPermissions).toEqual([
      expect.stringMatching(/^exec: hook PreToolUse \(Bash\): node check\.js \[sha256:/),
      expect.stringMatching(/^exec: MCP server files: node server\.js \[sha256:/),
    ]);
    await install(host, "office", { accept: true });
    const { skills } = host.plugins.current.plugins.find(({ id }) => id === "office") ?? {};
    expect(skills).toEqual([expect.stringMatching(/skills\/greet$/)]);
  });

  it("[EXT-545] ask again when an update of a plugin adds a hook", async () => {
    const host = await createPluginHost();
    writeMarketplace(host, [{ name: "guard", source: "./guard" }]);
    host.folder.write({ "market/guard/commands/go.md": "Go." });
    expect(await install(host, "guard")).toMatchObject({ outcome: "loaded" });
    host.folder.write({
      "market/guard/hooks/hooks.json": JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: "date" }] }] },
      }),
    });
    const update = await host.methods.call("plugins.update", { id: "guard" });
    expect(update).toMatchObject({ outcome: "kept" });
    expect(update.addedPermissions).toEqual([expect.stringContaining("hook Stop: date")]);
    expect(await host.methods.call("plugins.update", { id: "guard", accept: true })).toMatchObject({
      outcome: "loaded",
    });
  });

  it("[EXT-545] fetch plugins of repositories at a commit and in a folder", async () => {
    const host = await createPluginHost();
    const { folder } = host;
    folder.write({ "repository/tools/greeter/skills/greet/SKILL.md": SKILL });
    const sha = commitAll(join(folder.path, "repository"));
    rmSync(join(folder.path, "repository/tools"), { recursive: true });
    folder.write({ "repository/README.md": "Nothing is left." });
    commitAll(join(folder.path, "repository"));
    const url = `file://${folder.path}/repository`;
    const source = { source: "git-subdir", url, path: "tools/greeter", sha };
    writeMarketplace(host, [
      { name: "greeter", source },
      { name: "moved", source: { source: "git-subdir", url, path: "tools/greeter" } },
    ]);
    expect(await install(host, "greeter")).toMatchObject({ plugin: { status: "loaded" } });
    await expect(install(host, "moved")).rejects.toMatchObject({
      code: "PLUGIN_SOURCE_UNUSABLE",
      message: expect.stringContaining("no folder tools/greeter"),
    });
  });

  it.each<[problem: string, entry: Entry, message: RegExp]>([
    ["a path above it", { name: "a", source: "./../outside" }, /the folder \.\/\.\.\/outside/],
    ["an absolute path", { name: "a", source: "/etc" }, /does not exist in the marketplace/],
    ["a link that leads out of it", { name: "a", source: "./link" }, /does not exist in the/],
    [
      "a path above the repository",
      { name: "a", source: { source: "git-subdir", url: "https://example.com/a", path: "../b" } },
      /leads out of the repository/,
    ],
    [
      "a URL that is not https",
      { name: "a", source: { source: "url", url: "ssh://example.com/a" } },
      /only https is used/,
    ],
    [
      "an option of git as a branch",
      { name: "a", source: { source: "github", repo: "a/b", ref: "--upload-pack=x" } },
      /not the name of a branch/,
    ],
    [
      "an address as a package",
      { name: "a", source: { source: "npm", package: "https://example.com/a.tgz" } },
      /not a name of npm/,
    ],
    ["an unknown source", { name: "a", source: { source: "ftp" } }, /of the kind "ftp"/],
    ["another name", { name: "a", source: "./named" }, /offers "a", but the plugin is "b"/],
    [
      "another version",
      { name: "b", source: "./named", version: "2.0.0" },
      /offers version 2\.0\.0, but the plugin is version 1\.0\.0/,
    ],
    [
      "a part that the plugin declares too",
      { name: "b", source: "./named", hooks: {} },
      /both declare hooks/,
    ],
  ])("[EXT-546] reject a plugin with %s", async (_problem, entry, message) => {
    const host = await createPluginHost();
    writeMarketplace(host, [entry]);
    host.folder.write({
      "outside/skills/greet/SKILL.md": SKILL,
      "market/named/.claude-plugin/plugin.json": JSON.stringify({
        ...{ name: "b", version: "1.0.0", hooks: "./hooks.json" },
      }),
      "market/named/hooks.json": "{}",
      "market/named/skills/greet/SKILL.md": SKILL,
    });
    symlinkSync(join(host.folder.path, "outside"), join(host.folder.path, "market/link"));
    await expect(install(host, entry.name)).rejects.toMatchObject({
      code: "MARKETPLACE_PLUGIN_REFUSED",
      message: expect.stringMatching(message),
    });
  });

  it("[EXT-546] do not replace a version with an older one", async () => {
    const host = await createPluginHost();
    const offer = (version: string) =>
      writeMarketplace(host, [{ name: "greeter", source: "./greeter", version }]);
    host.folder.write({ "market/greeter/skills/greet/SKILL.md": SKILL });
    offer("2.0.0");
    await install(host, "greeter");
    offer("1.0.0");
    await expect(host.methods.call("plugins.update", { id: "greeter" })).rejects.toMatchObject({
      code: "MARKETPLACE_PLUGIN_REFUSED",
      message: expect.stringContaining("older than the installed 2.0.0"),
    });
    expect(await install(host, "greeter", { force: true })).toMatchObject({
      plugin: { version: "1.0.0" },
    });
  });

  it("[EXT-544] name what is missing, and keep the source of a name", async () => {
    const host = await createPluginHost();
    const { folder, marketplaces, methods } = host;
    const add = (source: string) =>
      marketplaces.call("marketplaces.add", { source, cwd: folder.path });
    await expect(add("absent place")).rejects.toMatchObject({ code: "MARKETPLACE_UNUSABLE" });
    folder.write({ "empty/a.txt": "", [`named/${LIST}`]: list("latest", []) });
    await expect(add("empty")).rejects.toThrow("it has no .claude-plugin/marketplace.json");
    await expect(add("named")).rejects.toThrow('its name is "latest"');
    writeMarketplace(host, [{ name: "greeter", source: "./greeter" }]);
    await add("market");
    folder.write({ [`twin/${LIST}`]: list("tools", []) });
    await expect(add("twin")).rejects.toMatchObject({ code: "MARKETPLACE_CONFLICT" });
    const parameters = { specifier: "greter@tools", cwd: folder.path };
    await expect(methods.call("plugins.install", parameters)).rejects.toMatchObject({
      code: "MARKETPLACE_PLUGIN_NOT_FOUND",
      message: expect.stringContaining('did you mean "greeter"?'),
    });
    const absent = { specifier: "greeter@tolls", cwd: folder.path };
    await expect(methods.call("plugins.install", absent)).rejects.toMatchObject({
      code: "MARKETPLACE_NOT_FOUND",
      message: expect.stringContaining("npm:greeter@tolls"),
    });
  });

  it("[EXT-546] are fetched within the network check, and not from a host that they redirect to", async () => {
    const { origin, host } = await serve((request, response) => {
      const location = { "/moved.json": "/list.json", "/away.json": "http://127.0.0.1:1/x.json" };
      const to = Object.entries(location).find(([path]) => request.url === path)?.[1];
      if (to !== undefined) response.writeHead(302, { location: to }).end();
      else if (request.url?.startsWith("/away.git/") === true) {
        response.writeHead(301, { location: "https://example.org/away.git/info/refs" }).end();
      } else response.end(list("tools", [{ name: "a", source: "./a" }]));
    });
    const { marketplaces, methods, folder } = host;
    const add = (source: string) =>
      marketplaces.call("marketplaces.add", { source, cwd: folder.path });
    expect(await add(`${origin}/moved.json`)).toMatchObject({ kind: "url", plugins: 1 });
    const specifier = "a@tools";
    await expect(
      methods.call("plugins.install", { specifier, cwd: folder.path }),
    ).rejects.toMatchObject({ code: "MARKETPLACE_PLUGIN_REFUSED" });
    await expect(add(`${origin}/away.json`)).rejects.toMatchObject({
      code: "MARKETPLACE_REDIRECTED",
      message: expect.stringContaining("http://127.0.0.1:1/x.json"),
    });
    await expect(add(`${origin}/away.git`)).rejects.toMatchObject({
      code: "MARKETPLACE_REDIRECTED",
    });
    await expect(add("https://169.254.169.254/marketplace.json")).rejects.toMatchObject({
      code: "NETWORK_DENIED",
    });
  });

  it("[EXT-544] are fetched from a repository, which stays as it was when the new state is not one", async () => {
    const host = await createPluginHost();
    const { folder, marketplaces } = host;
    const repository = join(folder.path, "repository");
    folder.write({
      [`repository/${LIST}`]: list("tools", [{ name: "greeter", source: "./greeter" }]),
      "repository/greeter/skills/greet/SKILL.md": SKILL,
    });
    const commit = commitAll(repository);
    const source = `git+file://${repository}`;
    expect(await marketplaces.call("marketplaces.add", { source, cwd: folder.path })).toMatchObject(
      { kind: "git", commit },
    );
    folder.write({ [`repository/${LIST}`]: "{" });
    commitAll(repository);
    await expect(marketplaces.call("marketplaces.update", { name: "tools" })).rejects.toMatchObject(
      { code: "MARKETPLACE_UNUSABLE" },
    );
    expect((await marketplaces.call("marketplaces.list", {})).marketplaces).toMatchObject([
      { commit, plugins: 1 },
    ]);
    expect(
      await host.methods.call("plugins.install", {
        specifier: "greeter@tools",
        cwd: folder.path,
      }),
    ).toMatchObject({ plugin: { id: "greeter", status: "loaded" } });
  });
});
