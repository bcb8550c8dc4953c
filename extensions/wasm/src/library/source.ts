import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { isComponentName } from "@openclaw/wasm-host";
import { WasmInstallError } from "../errors.js";

/** Content of a component before it is installed. */
export interface ComponentSource {
  readonly name: string;
  readonly source: string;
  readonly bytes: Uint8Array;
  /** Text of its capabilities file. */
  readonly capabilities: string | undefined;
}

const ENDING = ".wasm";

/**
 * Reads a component from a file, a folder with one component, or a URL (WASM-043).
 * @param source - absolute path, or URL with https
 * @param name - name of the component; that of its file when absent
 * @param fetch - sends requests within the network check of the host
 * @throws WasmInstallError
 */
export async function readSource(
  source: string,
  name: string | undefined,
  fetch: (url: string) => Promise<Response>,
): Promise<ComponentSource> {
  if (/^https?:/i.test(source)) return await download(source, name, fetch);
  if (!isAbsolute(source)) {
    throw new WasmInstallError(
      `"${source}" is not an absolute path`,
      "give the whole path, or a URL",
    );
  }
  const file = await componentFile(source);
  const given = name ?? basename(file, ENDING);
  checkName(given);
  const beside = [
    join(dirname(file), `${basename(file, ENDING)}.capabilities.json`),
    join(dirname(file), "capabilities.json"),
  ];
  return {
    ...{ name: given, source },
    bytes: await readFile(file),
    capabilities: (await firstText(beside.slice(0, 1))) ?? (await firstText(beside.slice(1))),
  };
}

/** @throws WasmInstallError for a name that a component cannot have */
export function checkName(name: string): void {
  if (isComponentName(name)) return;
  throw new WasmInstallError(
    `"${name}" cannot be the name of a component: expected 1 to 64 characters of a-z 0-9 _ -, beginning with a letter or digit`,
    "rename its file, or choose a name with --name",
  );
}

async function componentFile(path: string): Promise<string> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    throw new WasmInstallError(
      `${path} cannot be read: ${errorMessage(error)}`,
      "check the path",
      error,
    );
  }
  if (!isFolder) return path;
  const files = (await readdir(path)).filter((file) => file.endsWith(ENDING));
  const [only] = files;
  if (files.length === 1 && only !== undefined) return join(path, only);
  throw new WasmInstallError(
    `${path} has ${files.length} files *${ENDING}, but one is expected`,
    "give the path of the file",
  );
}

async function firstText(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  return undefined;
}

async function download(
  url: string,
  name: string | undefined,
  fetch: (url: string) => Promise<Response>,
): Promise<ComponentSource> {
  const given = name ?? basename(new URL(url).pathname, ENDING);
  checkName(given);
  const response = await fetch(url);
  if (!response.ok) {
    throw new WasmInstallError(`${url} answered with status ${response.status}`, "check the URL");
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const capabilities = new URL(url);
  capabilities.pathname = capabilities.pathname.replace(/(?:\.wasm)?$/, ".capabilities.json");
  const beside = await fetch(capabilities.href);
  if (!beside.ok && beside.status !== 404) {
    throw new WasmInstallError(
      `${capabilities.href} answered with status ${beside.status}`,
      "a component without capabilities answers 404 there",
    );
  }
  return {
    ...{ name: given, source: url, bytes },
    capabilities: beside.ok ? await beside.text() : undefined,
  };
}
