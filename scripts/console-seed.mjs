/**
 * Starts a gateway with a believable state, for work on the web console: sessions, runs with every outcome, requests,
 * grants, a failing model and the costs of two weeks.
 *
 *     node scripts/console-seed.mjs [folder]     prints the address with a token, until Ctrl+C
 *     node scripts/console-seed.mjs --dev        the same, with the sources of the console, reloaded on each change
 *
 * Build first.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startSeededGateway } from "./console/gateway.mjs";

const isDev = process.argv.includes("--dev");
const given = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const folder = given ?? mkdtempSync(join(tmpdir(), "openclaw-console-"));
const gateway = await startSeededGateway(resolve(folder));
const vite = isDev ? await startVite(gateway.url) : undefined;
console.log(`console  ${vite?.resolvedUrls?.local[0] ?? gateway.url}`);
console.log(`token    ${gateway.token}`);
console.log(`state    ${gateway.state}`);
console.log("stop     Ctrl+C");
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);

async function stop() {
  await vite?.close();
  await gateway.stop();
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Serves the sources of the console; calls and events go to the gateway. */
async function startVite(target) {
  const root = resolve(import.meta.dirname, "../apps/control-ui");
  const require = createRequire(join(root, "package.json"));
  const { createServer } = await import(pathToFileURL(require.resolve("vite")).href);
  const server = await createServer({
    configFile: join(root, "vite.config.ts"),
    root: join(root, "src"),
    base: "/",
    // The scan for dependencies does not read the options of the plugin that compiles the page.
    optimizeDeps: {
      rolldownOptions: { transform: { jsx: { runtime: "automatic", importSource: "preact" } } },
    },
    server: {
      proxy: {
        // The gateway accepts requests of its own page only.
        "/api": { target, changeOrigin: true, headers: { origin: target } },
        "/ws": { target, changeOrigin: true, ws: true, headers: { origin: target } },
      },
    },
  });
  return server.listen();
}
