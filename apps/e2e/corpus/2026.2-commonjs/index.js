const { emptyPluginConfigSchema } = require("clawdbot/plugin-sdk");

module.exports = async (api) => {
  await Promise.resolve();
  api.registerHook(["message_received", "message_sent"], () => {}, {
    name: "door-bell.notice",
    description: "Notices messages.",
  });
  api.on("gateway_start", () => {}, { priority: 5 });
  api.logger.info(`schema: ${emptyPluginConfigSchema().type}`);
};
