export default async (api) => {
  api.registerTool({
    name: "greet",
    description: "Greets.",
    parameters: { type: "object", properties: {} },
    execute: () => "hello",
  });
  await new Promise((resolve) => setImmediate(resolve));
  api.registerHook(["message_received"], () => {});
};
