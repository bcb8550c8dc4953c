import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

/** Writes the URL of every module that a process loads to the file of a variable. */
const RECORDER = `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + "\\n");
    return next(url, context);
  },
});
`;

/** Returns the source files of a module; those of a part of the bundle are in its source map. */
function sourcesOf(url: string): readonly string[] {
  const file = url.startsWith("file:") ? fileURLToPath(url) : url;
  if (!existsSync(`${file}.map`)) return [file];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] };
  return sources;
}

it("[GW-052] a gateway loads no module that its configuration does not need", async () => {
  using place = emptyPlace();
  place.writeState({ "recorder.mjs": RECORDER });
  const list = join(place.state, "modules.txt");
  const NODE_OPTIONS = `--import=${join(place.state, "recorder.mjs")}`;
  const environment = { NODE_OPTIONS, LOADED_MODULES: list };
  await using gateway = await startGatewayProcess({ ...place, environment });
  const ready = await fetch(`${gateway.url}/readyz`);
  expect(ready.status).toBe(200);

  const urls = readFileSync(list, "utf8").trimEnd().split("\n");
  const loaded = urls.flatMap(sourcesOf);
  const has = (part: string) => loaded.some((source) => source.includes(part));
  for (const needed of ["better-sqlite3", "packages/gateway/src/gateway.ts", "/hono/"]) {
    expect(has(needed), needed).toBe(true);
  }
  const unneeded = [
    // Another engine than the configured one, and extensions that are off.
    ...["node_modules/pg/", "extensions/otel/", "@opentelemetry/sdk", "extensions/telegram/"],
    "extensions/http-channel/",
    // A terminal, a keychain and a sandbox that are not in use.
    ...["pi-tui", "@napi-rs/keyring", "packages/plugin-install/src/installer.ts", "/tar/"],
    // Other commands, and methods that no client has called.
    ...["apps/gateway/src/doctor/", "apps/gateway/src/onboard/command", "gateway/src/methods/"],
    ...["packages/plugin-testkit/", "packages/platform-fakes/"],
    // The MCP server before its first request, and the client library of MCP without servers.
    ...["@modelcontextprotocol/", "packages/server/src/mcp/", "apps/gateway/src/mcp/serve-command"],
  ];
  expect(unneeded.filter(has)).toEqual([]);
});
