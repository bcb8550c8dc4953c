import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { type PluginFiles, packFolder, writePlugin } from "./plugin-folder.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Registry that npm installs from until the end of the test. */
export interface NpmRegistry {
  /**
   * Publishes a version and makes it the newest; an existing one is replaced.
   * @param name - package name
   * @param version - package version
   * @returns the integrity of its archive
   */
  publish(name: string, version: string, plugin: PluginFiles): Promise<string>;
  /** Paths that npm requested. */
  readonly requests: readonly string[];
  /** Empties npm's cache, so that nothing comes from an earlier test. */
  forgetDownloads(): void;
}

interface Release {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly archive: Buffer;
  readonly integrity: string;
}

/** Starts a registry that implements npm's protocol, and configures npm to use it. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const folder = temporaryFolder();
  const releases = new Map<string, Map<string, Release>>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const [, name = "", version] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const versions = releases.get(name);
    const release = version === undefined ? undefined : versions?.get(version);
    if (release !== undefined) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(release.archive);
    } else if (versions !== undefined && version === undefined) {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(packageDocument(name, versions, url)));
    } else {
      response
        .writeHead(404, { "content-type": "application/json" })
        .end(JSON.stringify({ error: "Not found" }));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const url = `http://127.0.0.1:${address.port}`;

  let caches = 0;
  const forgetDownloads = () => {
    caches += 1;
    vi.stubEnv("npm_config_cache", join(folder.path, `cache-${caches}`));
  };
  folder.write({ npmrc: "" });
  vi.stubEnv("npm_config_userconfig", join(folder.path, "npmrc"));
  vi.stubEnv("npm_config_registry", url);
  vi.stubEnv("npm_config_fetch_retries", "0");
  vi.stubEnv("npm_config_update_notifier", "false");
  forgetDownloads();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  return {
    requests,
    forgetDownloads,
    async publish(name, version, plugin) {
      const label = `${name.replace("/", "-")}-${version}-${requests.length}`;
      const manifest = { name, version, ...plugin.package };
      const dir = writePlugin(join(folder.path, label), { ...plugin, package: manifest });
      const archive = readFileSync(await packFolder(dir, join(folder.path, `${label}.tgz`)));
      const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
      const versions = releases.get(name) ?? new Map<string, Release>();
      releases.set(name, versions.set(version, { manifest, archive, integrity }));
      return integrity;
    },
  };
}

function packageDocument(name: string, versions: ReadonlyMap<string, Release>, url: string) {
  return {
    name,
    "dist-tags": { latest: [...versions.keys()].at(-1) },
    versions: Object.fromEntries(
      [...versions].map(([version, { manifest, integrity }]) => [
        version,
        { ...manifest, dist: { tarball: `${url}/${name}/-/${version}.tgz`, integrity } },
      ]),
    ),
  };
}
