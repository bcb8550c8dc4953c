export function register(api) {
  api.registerTool({ name: "healthy", description: "", parameters: {}, execute: () => "" });
  api.on("message_sent", () => {});
}
