export function register(api) {
  api.registerTool({ name: "hangs", description: "", parameters: {}, execute: () => "" });
  api.on("message_sent", () => {});
  return new Promise(() => {});
}
