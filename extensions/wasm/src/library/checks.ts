import { createHash } from "node:crypto";
import { type Capabilities, contentHash } from "@openclaw/wasm-host";
import { WasmInstallError } from "../errors.js";
import type { InstallRecord } from "./record.js";

/**
 * Checks that a component belongs into a folder.
 * @param expected - kind of the folder
 * @throws WasmInstallError
 */
export function checkKind(
  expected: "tool" | "channel",
  name: string,
  kind: "tool" | "channel",
  capabilities: Capabilities,
): void {
  if (kind !== expected) {
    throw new WasmInstallError(
      `component "${name}" is a ${kind}, in the folder of ${expected}s`,
      "move it to the folder of its kind",
    );
  }
  if (kind !== "channel") return;
  if (!/^[a-z]/.test(name)) {
    throw new WasmInstallError(
      `"${name}" cannot be the name of a channel, which begins with a letter`,
      "rename its file, or choose a name with --name",
    );
  }
  if (capabilities.channel === undefined) {
    throw new WasmInstallError(
      `channel "${name}" has no capabilities of a channel`,
      `add "channel" to ${name}.capabilities.json`,
    );
  }
}

/**
 * Checks that a component is the one that was installed (WASM-042).
 * @param text - text of its capabilities file
 * @throws WasmInstallError
 */
export function checkRecord(
  name: string,
  { hash, capabilitiesHash }: InstallRecord,
  bytes: Uint8Array,
  text: string | undefined,
): void {
  const changed = [
    ...(contentHash(bytes) === hash ? [] : [`${name}.wasm`]),
    ...((text === undefined ? undefined : textHash(text)) === capabilitiesHash
      ? []
      : [`${name}.capabilities.json`]),
  ];
  if (changed.length === 0) return;
  throw new WasmInstallError(
    `${changed.join(" and ")} changed since component "${name}" was installed`,
    "install it again with `openclaw wasm install`, which shows its permissions",
  );
}

/** Returns the hash of a capabilities file. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Returns what the operator does before a component can be used: logins and secrets.
 * @param name - name of the component
 */
export function setupSteps(
  name: string,
  { auth, http, requiredSecrets }: Capabilities,
): readonly string[] {
  const login = auth?.oauth === undefined ? undefined : auth.secretName;
  const secrets = new Set([
    ...(auth === undefined ? [] : [auth.secretName]),
    ...(http?.credentials ?? []).map(({ secretName }) => secretName),
    ...requiredSecrets
      .filter(({ isOptional, generatedLength }) => !isOptional && generatedLength === undefined)
      .map((secret) => secret.name),
  ]);
  return [...secrets].map((secret) => {
    if (secret === login) return `Log in for it: openclaw secrets login wasm/${name}`;
    const page = secret === auth?.secretName && auth.setupUrl ? `, from ${auth.setupUrl}` : "";
    return `Store its secret: openclaw wasm secret ${secret}${page}`;
  });
}
