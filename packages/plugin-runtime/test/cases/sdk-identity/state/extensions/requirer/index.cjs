const scoped = require("@openclaw/plugin-sdk");
const plain = require("openclaw/plugin-sdk");
const entry = require("openclaw/plugin-sdk/plugin-entry");

exports.register = (api) => {
  const { sdk, pluginEntry } = globalThis.hostSdk;
  const same = [
    scoped.OpenClawError === sdk.OpenClawError,
    plain.OpenClawError === sdk.OpenClawError,
    entry.definePluginEntry === pluginEntry.definePluginEntry,
  ];
  api.logger.info(`requirer: ${same.join(", ")}`);
};
