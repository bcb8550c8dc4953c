import { emptyPluginConfigSchema, onDiagnosticEvent } from "openclaw/plugin-sdk";

export default {
  id: "status-page",
  configSchema: emptyPluginConfigSchema(),
  async activate(api) {
    const off = onDiagnosticEvent(() => {});
    api.registerCommand({
      name: "status-page",
      description: "Shows the address of the status page.",
      acceptsArgs: true,
      requireAuth: true,
      handler: async ({ args }) => ({ text: `status of ${args ?? "everything"}` }),
    });
    api.registerHttpRoute({
      path: "/status-page",
      handler: (_request, response) => {
        response.end("fine");
      },
    });
    await Promise.resolve();
    api.registerHttpHandler(async () => false);
    api.registerService({ id: "status-page-watch", start: () => {}, stop: () => off() });
    api.registerGatewayMethod("statusPage.get", ({ respond }) => respond(true, { fine: true }));
    api.registerCli(
      ({ program }) => {
        program.command("status-page").description("Shows the status page.");
      },
      { commands: ["status-page"] },
    );
  },
};
