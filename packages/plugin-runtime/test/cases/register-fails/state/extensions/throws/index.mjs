export function register(api) {
  api.registerTool({ name: "throws", description: "", parameters: {}, execute: () => "" });
  api.on("message_sent", () => {});
  throw new Error("half way");
}
