import * as scoped from "@openclaw/plugin-sdk";
import * as scopedErrors from "@openclaw/plugin-sdk/errors";
import * as plain from "openclaw/plugin-sdk";
import * as plainErrors from "openclaw/plugin-sdk/errors";

const { sdk, errors } = globalThis.hostSdk;

export async function register(api) {
  const dynamic = await import("openclaw/plugin-sdk/errors");
  const same = [
    scoped === sdk,
    plain === sdk,
    scopedErrors === errors,
    plainErrors === errors,
    dynamic === errors,
    new scoped.PluginDisposedError("a", "b") instanceof sdk.PluginDisposedError,
  ];
  api.logger.info(`carrier: ${same.join(", ")}`);
}
