import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

/** Names of a browser that the machine may have. */
const INSTALLED = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Starts a Chromium without a window: `CHROMIUM`, else an installed one, else on Linux x64 the one of the npm package.
 * @throws when no browser can be started
 */
export async function startBrowser(): Promise<Browser> {
  const installed = process.env.CHROMIUM ?? installedBrowser();
  if (installed !== undefined) {
    return driver.launch({ executablePath: installed, args: ["--no-sandbox"], headless: true });
  }
  return driver.launch({
    executablePath: await chromium.executablePath(),
    // Not those of the package: they put all pages into one process, which ends with the first of them.
    args: ["--no-sandbox", "--disable-gpu"],
    headless: true,
  });
}

function installedBrowser(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders
    .flatMap((folder) => INSTALLED.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}
