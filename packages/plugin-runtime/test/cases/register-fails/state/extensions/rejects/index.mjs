export async function register(api) {
  api.registerTool({ name: "rejects", description: "", parameters: {}, execute: () => "" });
  await new Promise((resolve) => setImmediate(resolve));
  api.on("message_sent", () => {});
  throw new Error("no network");
}
