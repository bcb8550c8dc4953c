import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

/** A microphone that beeps, which pages may use. */
const MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];

/** Names of a browser that the machine may have. */
const INSTALLED = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Starts a Chromium without a window: `CHROMIUM`, else an installed one, else on Linux x64 the one of the npm package.
 * @throws when no browser can be started
 */
export async function startBrowser(): Promise<Browser> {
  const installed = process.env.CHROMIUM ?? installedBrowser();
  if (installed !== undefined) {
    return driver.launch({
      executablePath: installed,
      args: ["--no-sandbox", ...MICROPHONE],
      headless: true,
    });
  }
  return driver.launch({
    executablePath: await unpackedBrowser(),
    // Not those of the package: they put all pages into one process, which ends with the first of them.
    args: ["--no-sandbox", "--disable-gpu", ...MICROPHONE],
    headless: true,
  });
}

/** Unpacks the browser of the npm package once: a file that another process still writes cannot be started. */
async function unpackedBrowser(): Promise<string> {
  const lock = join(tmpdir(), "chromium.lock");
  while (!acquires(lock)) await wait(50);
  try {
    return await chromium.executablePath();
  } finally {
    rmdirSync(lock);
  }
}

function acquires(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function installedBrowser(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders
    .flatMap((folder) => INSTALLED.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}
