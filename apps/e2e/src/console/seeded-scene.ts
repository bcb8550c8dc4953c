import { join } from "node:path";
import type { GatewayConnection } from "@openclaw/client";
import { ConsoleScene } from "./scene.js";

/** Seed of the console: a believable state, which `pnpm console:seed` shows to a person. */
interface Seed {
  readonly INVOICE: string;
  seedConfiguration(modelUrl: string): object;
  storePast(file: string, today: number): Promise<void>;
  seed(client: GatewayConnection): Promise<void>;
}

interface SeedModel {
  startModel(): Promise<{ readonly url: string; close(): void }>;
}

const scripts = new URL("../../../../scripts/console/", import.meta.url);
const { INVOICE, seedConfiguration, storePast, seed }: Seed = await import(
  new URL("seed.mjs", scripts).href
);
const { startModel }: SeedModel = await import(new URL("model-server.mjs", scripts).href);

/** Time at which the gateway of the seeded state starts. */
const START = Date.UTC(2026, 10, 28, 8, 10);
/** Time of the pages; the state is made in the minutes before it. */
export const PAGE_TIME = START + 4 * 60_000;

/** Console with a believable state, whose gateway starts at a fixed time. */
export interface SeededScene extends AsyncDisposable {
  readonly scene: ConsoleScene;
}

/** Starts the gateway and the browser, and makes the state. */
export async function openSeededScene(): Promise<SeededScene> {
  const model = await startModel();
  const scene = await ConsoleScene.open(
    seedConfiguration(model.url),
    {
      NODE_OPTIONS: `--import=${new URL("shifted-clock.mjs", import.meta.url).href}`,
      CLOCK_SHIFT_MS: String(START - Date.now()),
      TZ: "UTC",
    },
    {},
    async ({ state, writeWorkspace }) => {
      writeWorkspace({ "src/invoice.ts": INVOICE });
      await storePast(join(state, "openclaw.db"), START);
    },
  );
  await scene.client.ready();
  await seed(scene.client);
  return {
    scene,
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      model.close();
    },
  };
}
