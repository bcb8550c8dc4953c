globalThis.imported.push("defaulted");

export function register({ pluginConfig, logger }) {
  const frozen = Object.isFrozen(pluginConfig) && Object.isFrozen(pluginConfig.limits);
  logger.info(`${JSON.stringify(pluginConfig)} ${frozen ? "frozen" : "open"}`);
}
